/** Calls about mistakes and hints. */
import * as z from 'zod'
import {
  hintCreated,
  mistakeCommented,
  mistakePage,
  mistakePeople,
  type FailedCase,
  type Hint,
} from '#contract/mistakes'
import { isRefusal, refusalData } from '../../lib/api/api-error.ts'
import { apiQuery, pagedQuery } from '../../lib/api/api-query.ts'
import { call } from '../../lib/api/call.ts'
import { refresh } from '../../lib/api/query-client.ts'

/** GET /problem/{id}/mistakes, page by page. */
export function mistakesQuery(problemId: number) {
  return pagedQuery(['mistakes', problemId, 'groups'], 'GET /problem/:id/mistakes', {
    params: { id: problemId },
    as: mistakePage,
  })
}

/** GET /problem/{id}/mistakes/{mistake}: the people of a group. */
export function mistakePeopleQuery(problemId: number, mistake: string) {
  return apiQuery(
    ['mistakes', problemId, 'people', mistake],
    'GET /problem/:id/mistakes/:mistake',
    { params: { id: problemId, mistake }, as: mistakePeople },
  )
}

/** Reads the groups, people and hints of a problem again. */
export function refreshMistakes(problemId: number): Promise<void> {
  return refresh(['mistakes', problemId])
}

/** PUT /problem/{id}/mistakes/merged: counts mistakes to another one; null: each stands for itself again. */
export function mergeMistakes(problemId: number, mistakes: readonly string[], into: string | null) {
  return call('PUT /problem/:id/mistakes/merged', {
    params: { id: problemId },
    body: { mistakes: [...mistakes], into },
  })
}

/** POST /problem/{id}/mistakes/{mistake}/questions. @returns how many people got the comment */
export async function commentToAll(
  problemId: number,
  mistake: string,
  markdown: string,
  key: string,
): Promise<number> {
  const params = { id: problemId, mistake }
  const as = mistakeCommented
  const body = { markdown }
  const route = 'POST /problem/:id/mistakes/:mistake/questions'
  return (await call(route, { params, body, key, as })).people
}

/** What a hint is about: a mistake or a case. */
export type HintTarget = { mistake: string } | { failed: FailedCase }

/** What a text names although students may not see it; `unknown` where it may name either. */
export type HintSecret = 'input' | 'output' | 'unknown'

/** What a refused text names; null after other failures. */
export function secretOf(error: unknown): HintSecret | null {
  if (!isRefusal(error, 'hint_names_secret')) return null
  const data = refusalData(error, z.object({ what: z.literal(['input', 'output', 'unknown']) }))
  return data?.what ?? 'unknown'
}

/**
 * Writes a hint, or an existing one anew.
 * @param on what a new hint is about, or the existing hint
 * @param mayName asked if the text names something that students may not see, or may name it; yes stores the text all the same
 */
export async function saveHint(
  problemId: number,
  on: HintTarget | Pick<Hint, 'hintId'>,
  markdown: string,
  mayName: (what: HintSecret) => Promise<boolean>,
): Promise<void> {
  async function send(mayNameSecret: boolean): Promise<void> {
    const text = { markdown, mayNameSecret }
    await ('hintId' in on
      ? call('PUT /problem/:id/hints/:hintId', {
          params: { id: problemId, hintId: on.hintId },
          body: text,
        })
      : call('POST /problem/:id/hints', {
          params: { id: problemId },
          body: { ...on, ...text },
          as: hintCreated,
        }))
  }

  try {
    await send(false)
  } catch (error) {
    const what = secretOf(error)
    if (what === null || !(await mayName(what))) throw error
    await send(true)
  }
}

/** DELETE /problem/{id}/hints/{hintId}. */
export function deleteHint(problemId: number, hintId: number) {
  return call('DELETE /problem/:id/hints/:hintId', { params: { id: problemId, hintId } })
}
