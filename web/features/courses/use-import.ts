/** The import of a file of members: how it is read, checked, and stored part by part. */
import { useMutation } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { batchSignupResult, type BatchSignupResult } from '#contract/people/auth'
import { refusalData } from '../../lib/api/api-error.ts'
import { callWithRetries } from '../../lib/api/patient-call.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { useLeaveWarning } from '../../lib/drafts/leave-warning.ts'
import { courseQuery } from '../../lib/queries/course.ts'
import { useSession } from '../../lib/session/session.ts'
import { signUpMany } from './api.ts'
import {
  afterPart,
  nextPart,
  toFileRows,
  toPartCsv,
  toWholeResult,
  type ImportState,
} from './import-parts.ts'
import { storeLabels } from './label-column.ts'
import { toApiCsv } from './member-file.ts'
import {
  importKey,
  keepStopped,
  markOf,
  readStopped,
  type ImportOptions,
  type StoppedImport,
} from './stopped-import.ts'
import { useMemberFile, type MemberFile } from './use-member-file.ts'

const NO_OPTIONS: ImportOptions = { mailLinks: false, force: false, uppercase: false }

/** What is sent: a file, with the options for it. */
interface Chosen {
  file: MemberFile
  options: ImportOptions
}

/** Keeps how far an import has come, in this browser. */
function useStoppedImport(course: string) {
  const { user } = useSession()
  const key = importKey(user?.username ?? '', course)
  const [stopped, setStopped] = useState(() => readStopped(key))
  return {
    stopped,
    keep: (next: StoppedImport | null) => {
      keepStopped(key, next)
      setStopped(next)
    },
  }
}

/** The result of a refused part; its rows have line numbers of the whole file. */
function refusedRows(part: number[], error: unknown): BatchSignupResult | null {
  const refused = refusalData(error, batchSignupResult)
  return refused ? { ...refused, rows: toFileRows(part, refused.rows) } : null
}

/** Stores the checked members part by part. `state` says how far the import is; null: no check has ended without faults yet. */
function useRun(course: string, keep: (next: StoppedImport | null) => void) {
  const [state, setState] = useState<ImportState | null>(null)
  const [refused, setRefused] = useState<BatchSignupResult | null>(null)
  // Leaving the page stops the import, as nobody sees it; the same file continues it later.
  const leaving = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    leaving.current = controller
    return () => controller.abort()
  }, [])
  const run = useMutation({
    mutationFn: async ({ file, options, from }: Chosen & { from: ImportState }) => {
      const { name, members, table } = file
      const mark = markOf(file.csv)
      const { signal } = leaving.current
      let now = from
      for (let part = nextPart(now); part.length > 0; part = nextPart(now)) {
        signal.throwIfAborted()
        const body = { newUsers: toPartCsv(members, part), course, ...options, dryRun: false }
        const answer = await callWithRetries(() => signUpMany(body), { signal }).catch(
          (error: unknown) => {
            setRefused(refusedRows(part, error))
            throw error
          },
        )
        now = afterPart(now, part, answer)
        setState(now)
        const row = table.rows[now.done - 1]?.number ?? 0
        keep({ name, mark, options, done: now.done, row })
      }
      const { rows } = now.result
      const kept = await callWithRetries(() => storeLabels(course, members, rows), { signal })
      keep(null)
      return kept
    },
    onSettled: () => refresh(courseQuery(course).queryKey),
  })
  useLeaveWarning(useCallback(() => run.isPending, [run.isPending]))

  function reset(next: ImportState | null) {
    run.reset()
    setState(next)
    setRefused(null)
  }

  function start(chosen: Chosen, from: ImportState) {
    setRefused(null)
    run.mutate({ ...chosen, from })
  }

  return { run, state, refused, reset, start }
}

/** Checks a file whose first `done` members are stored. @param onGood called if the check finds no fault */
function useCheck(course: string, onGood: (state: ImportState) => void) {
  return useMutation({
    mutationFn: async ({ file, options, done }: Chosen & { done: number }) => {
      const newUsers = toApiCsv(file.members.slice(done))
      const answer = await signUpMany({ newUsers, course, ...options, dryRun: true })
      return toWholeResult(file.members, done, answer)
    },
    onSuccess: (result, { done }) => {
      if (result.rows.every(({ action }) => action !== 'error')) onGood({ done, result })
    },
  })
}

/** The file, the options, and the calls that check and import its rows. */
export function useImport(course: string) {
  const source = useMemberFile()
  const { stopped, keep } = useStoppedImport(course)
  const [options, setOptions] = useState<ImportOptions>(NO_OPTIONS)
  const { run, state, refused, reset: resetRun, start } = useRun(course, keep)
  const check = useCheck(course, resetRun)

  /** Drops the check's result, which no longer fits after a change. */
  function reset() {
    check.reset()
    resetRun(null)
  }

  function startCheck(chosen: Chosen & { done: number }) {
    reset()
    check.mutate(chosen)
  }

  async function open(picked: File) {
    reset()
    const file = await source.open(picked)
    if (file === null) return
    const known = stopped?.mark === markOf(file.csv) ? stopped : null
    // Without passwords, people can only sign in by a mailed link.
    const next = known?.options ?? { ...options, mailLinks: !file.columns.includes('password') }
    setOptions(next)
    if (file.missing.length === 0) startCheck({ file, options: next, done: known?.done ?? 0 })
  }

  return {
    file: source.file,
    isBad: source.isBad,
    options,
    stopped,
    dismiss: () => keep(null),
    check,
    run,
    state,
    /** The rows of a part that was refused. */
    refused,
    open,
    startCheck: (file: MemberFile) => startCheck({ file, options, done: 0 }),
    startRun: (file: MemberFile, from: ImportState) => start({ file, options }, from),
    change: (option: keyof ImportOptions, value: boolean) => {
      setOptions({ ...options, [option]: value })
      reset()
    },
    reread: (...change: Parameters<typeof source.reread>) => {
      source.reread(...change)
      reset()
    },
    setColumn: (...change: Parameters<typeof source.setColumn>) => {
      source.setColumn(...change)
      reset()
    },
  }
}
