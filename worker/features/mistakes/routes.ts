/** /problem/{id}/mistakes: groups of people with the same mistake. */
import * as z from 'zod'
import { COUNT_LIMITS } from '#contract/limits'
import { mistake } from '#contract/submissions'
import { changeOf } from '../../http/change.ts'
import { fieldRefused } from '../../http/errors.ts'
import { fromCursor, toCursor } from '../../http/paging.ts'
import { route } from '../../http/route.ts'
import { problemInPath } from '../problems/guard.ts'
import { pageOfGroups, toGroups, toMistakeGroup } from './groups.ts'
import { listHints } from './hint-queries.ts'
import { mergeMistakes, separateMistakes } from './merge-queries.ts'
import { listExamples, listPeople, listTries } from './mistake-queries.ts'
import { tellMistakes, tellTries } from './tell.ts'

/** What a page of groups starts after. */
const position = z.tuple([z.int().min(1), mistake])

export const mistakes = [
  route('GET /problem/:id/mistakes', problemInPath, async (c, { problem, query }) => {
    const { db } = c.var
    const after = fromCursor(query.cursor, position)
    const [{ tries, merged }, hints] = await Promise.all([
      listTries(db, problem),
      listHints(db, problem.problemId),
    ])
    const all = toGroups(tries, merged)
    const { page, next } = pageOfGroups(all, after, COUNT_LIMITS.mistakeGroups)
    const newest = page.flatMap(({ examples }) => examples.slice(0, 1))
    const examples = await listExamples(db, c.env.BUCKET, newest)
    const groups = page.flatMap((group) => {
      const example = examples.get(group.examples[0] ?? '')
      return (example && toMistakeGroup(group, example)) ?? []
    })
    return {
      people: tries.length,
      groupCount: all.length,
      groups,
      hints,
      next: next && toCursor(next),
    }
  }),
  route('GET /problem/:id/mistakes/:mistake', problemInPath, async (c, { problem, params }) => ({
    tries: await listPeople(c.var.db, problem, params.mistake),
  })),
  route('PUT /problem/:id/mistakes/merged', problemInPath, async (c, { problem, body }) => {
    const { into } = body
    const { db } = c.var
    if (into === null) {
      tellMistakes(c, problem, await separateMistakes(db, problem, body.mistakes, changeOf(c)))
      return
    }
    if (body.mistakes.includes(into))
      throw fieldRefused(
        ['into'],
        'invalid',
        'A mistake cannot be merged into itself. Take it out of the mistakes.',
      )
    await mergeMistakes(db, problem, body.mistakes, into, changeOf(c))
    tellTries(c, problem, { mistake: into, task: null, caseIndex: null })
  }),
]
