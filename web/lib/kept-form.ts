/** What was typed into a page's form outlives a reload. */
import type { UseFormReturnType } from '@mantine/form'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import * as z from 'zod'
import { useLeaveWarning } from './leave-warning.ts'
import { useSession } from './session.ts'

type Values = Record<string, unknown>

/** A field that somebody has changed: what was stored, and what they made of it. */
const change = z.object({ was: z.unknown(), is: z.unknown() })
const changes = z.record(z.string(), change)
type Changes = z.infer<typeof changes>

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}

/** The fields that somebody has changed. */
export function changesOf(initial: Values, now: Values): Changes {
  return Object.fromEntries(
    Object.entries(now)
      .filter(([field, is]) => !isSame(is, initial[field]))
      .map(([field, is]) => [field, { was: initial[field], is }]),
  )
}

/** What of kept changes to make to a form: those whose field is stored as it was then, and that are none yet. */
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

/** Keeps the changes in this tab; none are forgotten. A storage that is full or switched off keeps nothing. */
function keep(key: string, kept: Changes): void {
  try {
    if (Object.keys(kept).length === 0) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(kept))
  } catch {
    // Leaving has been asked about all the same.
  }
}

export interface KeptForm {
  /** Whether the form holds what was typed before a reload. */
  isBack: boolean
  /** Takes that back. */
  drop: () => void
}

/**
 * Asks before the form on this page is left unsaved, and keeps its changed fields, for this person in this tab, while the
 * page is reloaded. A field that somebody else has changed meanwhile comes back as they stored it: saving overwrites nobody.
 * @param unsaved whether the form holds changes that are not saved
 * @param toKeep what of the form is worth keeping; null for nothing, all when not given
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
    // Each is of the kind of the initial value beside which it was kept.
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

  // Who has left the page has saved the form or dropped it.
  useEffect(() => () => keep(key, {}), [key])

  return {
    isBack: isBack && form.isDirty(),
    drop() {
      if (!window.confirm(t('save.dropQuestion'))) return
      form.reset()
      setIsBack(false)
      document.querySelector('main')?.focus()
    },
  }
}
