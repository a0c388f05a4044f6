/** Forms whose input survives a reload. */
import type { UseFormReturnType } from '@mantine/form'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import * as z from 'zod'
import { askToConfirm } from '../confirm.ts'
import { isPageFailed } from './failed-page.ts'
import { useLeaveWarning } from './leave-warning.ts'
import { useSession } from '../session/session.ts'

type Values = Record<string, unknown>

/** A changed field: its stored value when the form was opened, and the input. */
const change = z.object({ was: z.unknown(), is: z.unknown() })
const changes = z.record(z.string(), change)
type Changes = z.infer<typeof changes>

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}

/** The changed fields of a form. */
export function changesOf(initial: Values, now: Values): Changes {
  return Object.fromEntries(
    Object.entries(now)
      .filter(([field, is]) => !isSame(is, initial[field]))
      .map(([field, is]) => [field, { was: initial[field], is }]),
  )
}

/** Kept changes that are safe to restore: the stored value is unchanged. */
export function changesFor(initial: Values, kept: Changes): Values {
  return Object.fromEntries(
    Object.entries(kept)
      .filter(([field, { was, is }]) => isSame(was, initial[field]) && !isSame(is, initial[field]))
      .map(([field, { is }]) => [field, is]),
  )
}

function readKept(key: string): Changes {
  try {
    return changes.parse(JSON.parse(sessionStorage.getItem(key) ?? '{}'))
  } catch {
    return {}
  }
}

/**
 * Keeps a form's changes in this tab's storage; without changes, it removes the kept ones. If storage is full or
 * disabled, nothing is kept.
 */
function keep(key: string, kept: Changes): void {
  try {
    if (Object.keys(kept).length === 0) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(kept))
  } catch {
    // The question before leaving the page still protects the input.
  }
}

/**
 * Clears the kept changes when the form unmounts, because they were saved or dropped. If the page failed, keeps the
 * changes as they were last drawn.
 */
function useEndOfForm(key: string, changesNow: () => Changes): void {
  const drawn = useRef<Changes>({})
  useEffect(() => {
    drawn.current = changesNow()
  })
  useEffect(() => () => keep(key, isPageFailed() ? drawn.current : {}), [key])
}

export interface KeptForm {
  /** Whether the form has been restored after a reload. */
  isBack: boolean
  /** Asks the user, then drops the restored input. */
  drop: () => Promise<void>
}

/**
 * Asks before a form with unsaved changes is left, and restores its changed fields after a reload, per user and tab. A
 * field that another person has changed is not restored, so that saving overwrites no one's change.
 * @param unsaved whether the form has unsaved changes
 * @param toKeep the values to keep, null for none. Default: all values
 */
export function useKeptForm<FormValues extends Values>(
  form: UseFormReturnType<FormValues>,
  unsaved: () => boolean,
  toKeep?: () => FormValues | null,
): KeptForm {
  const { t } = useTranslation()
  const { user } = useSession()
  const { pathname } = useLocation()
  const [isBack, setIsBack] = useState(false)
  const key = `form:${user?.username.toLowerCase() ?? ''}:${pathname}`
  const latest = useRef({ form, toKeep })
  useEffect(() => {
    latest.current = { form, toKeep }
  })
  useLeaveWarning(unsaved)

  useEffect(() => {
    const { getInitialValues, setValues } = latest.current.form
    const values = changesFor(getInitialValues(), readKept(key))
    if (Object.keys(values).length === 0) return
    // Each kept value has the type of its field's initial value.
    setValues(values as Partial<FormValues>)
    setIsBack(true)
  }, [key])

  useEffect(() => {
    function keepNow() {
      const { getInitialValues, getValues } = latest.current.form
      const values = (latest.current.toKeep ?? getValues)()
      keep(key, unsaved() && values !== null ? changesOf(getInitialValues(), values) : {})
    }
    window.addEventListener('pagehide', keepNow)
    document.addEventListener('visibilitychange', keepNow)
    return () => {
      window.removeEventListener('pagehide', keepNow)
      document.removeEventListener('visibilitychange', keepNow)
    }
  }, [key, unsaved])

  useEndOfForm(key, () => {
    const values = unsaved() ? (toKeep ?? form.getValues)() : null
    return values === null ? {} : changesOf(form.getInitialValues(), values)
  })

  return {
    isBack: isBack && form.isDirty(),
    async drop() {
      const isSure = await askToConfirm({
        title: t('save.dropQuestion.title'),
        text: t('save.dropQuestion.text'),
        label: t('save.dropBack'),
      })
      if (!isSure) return
      form.reset()
      setIsBack(false)
      document.querySelector('main')?.focus()
    },
  }
}
