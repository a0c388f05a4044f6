/** What was typed into a page's form outlives a reload. */
import type { UseFormReturnType } from '@mantine/form'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import * as z from 'zod'
import { useLeaveWarning } from './leave-warning.ts'
import { useSession } from './session.ts'

type Values = Record<string, unknown>

/** The fields that somebody has changed. */
export function changedFields(initial: Values, now: Values): Values {
  return Object.fromEntries(
    Object.entries(now).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(initial[field]),
    ),
  )
}

/** Those of the kept fields that a form still has, of the same kind; an older version of the app may have kept them. */
export function fittingFields(initial: Values, kept: Values): Values {
  return Object.fromEntries(
    Object.entries(kept).filter(
      ([field, value]) =>
        field in initial &&
        Array.isArray(value) === Array.isArray(initial[field]) &&
        (typeof value === 'object') === (typeof initial[field] === 'object'),
    ),
  )
}

function readKept(key: string): Values {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(sessionStorage.getItem(key) ?? '{}'))
  } catch {
    return {}
  }
}

/** Keeps the fields in this tab; none are forgotten. A storage that is full or switched off keeps nothing. */
function keep(key: string, fields: Values): void {
  try {
    if (Object.keys(fields).length === 0) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(fields))
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
 * page is reloaded. The other fields come back as they are stored by then.
 * @param unsaved whether the form holds changes that are not saved
 */
export function useKeptForm<FormValues extends Values>(
  form: UseFormReturnType<FormValues>,
  unsaved: () => boolean,
): KeptForm {
  const { user } = useSession()
  const { pathname } = useLocation()
  const [isBack, setIsBack] = useState(false)
  const key = `form:${user?.username.toLowerCase() ?? ''}:${pathname}`
  const latest = useRef(form)
  useEffect(() => {
    latest.current = form
  })
  useLeaveWarning(unsaved)

  useEffect(() => {
    const { getInitialValues, setValues } = latest.current
    const fields = fittingFields(getInitialValues(), readKept(key))
    if (Object.keys(fields).length === 0) return
    // Of the form's own kinds, as far as that can be seen.
    setValues(fields as Partial<FormValues>)
    setIsBack(true)
  }, [key])

  useEffect(() => {
    function keepNow() {
      const { getInitialValues, getValues } = latest.current
      keep(key, unsaved() ? changedFields(getInitialValues(), getValues()) : {})
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
    isBack,
    drop() {
      form.reset()
      setIsBack(false)
    },
  }
}
