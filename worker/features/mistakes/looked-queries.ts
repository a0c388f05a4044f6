/** Finds what a hint is about, and the cases whose texts it may name. */
import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { FailedCase, NewHint } from '#contract/mistakes'
import { aliasColumns, rawQuery, type Db } from '../../db/client.ts'
import {
  hints,
  judgements,
  problems,
  submissions,
  subtasks,
  testDataVersions,
} from '../../db/schema.ts'
import { inlineNumber } from '../../db/statements.ts'
import { AppError } from '../../http/errors.ts'
import type { JudgedSubtask } from '../submissions/queries.ts'
import { firstFailing, type About } from './hint-queries.ts'
import { mistakesOfGroup } from './mistake-queries.ts'

/** Judgements have no index by mistake, which each verdict would have to write; so the newest ones of the problem are looked at. */
export const LOOKED_AT = 5_000

/** A case at which students with a hint have failed first. */
export interface LookedCase extends JudgedSubtask {
  failed: FailedCase
  /** The cases of the subtask; null if the problem has no such subtask. */
  caseCount: number | null
  /** The test data that the case is of. */
  zipKey: string | null
  zipBytes: number | null
}

/** What a hint is about, and its cases. */
export interface LookedAt extends About {
  cases: LookedCase[]
  /** Whether a judgement was found for each mistake of the group. */
  isAllKnown: boolean
  /** When what judging depends on last changed. */
  judgingChangedAtMs: number | null
}

type LookedRow = Pick<LookedAt, 'judgingChangedAtMs'> &
  Omit<LookedCase, 'failed' | 'isSample'> & {
    isKnown: 0 | 1
    failed: string | null
    isSample: 0 | 1 | null
  }

/** Selects how the newest judgement of each mistake of a group failed. Judgements in packs are left out. */
function selectGroup(problemId: number, mistake: string): SQL {
  const group = mistakesOfGroup(problemId, mistake)
  const newest = sql`select max(${judgements.id}) as id, ${judgements.mistake} as mistake,
      ${judgements.subtasks} as subtasks, ${judgements.testDataVersion} as judged_with
    from (select ${submissions.judgementId} as id from ${submissions} where ${submissions.problemId} = ${problemId}
      order by ${submissions.judgementId} desc limit ${inlineNumber(LOOKED_AT)}) looked_at
    cross join ${judgements} on ${judgements.id} = looked_at.id
    where ${judgements.mistake} in (${group}) group by ${judgements.mistake}`
  return sql`select newest.id is not null as is_known, ${firstFailing(sql`newest.subtasks`)} as failed, newest.judged_with
    from (${group}) of_group left join (${newest}) newest on newest.mistake = of_group.mistake`
}

/** Selects the same of a case, with the active test data. */
function selectCase(problemId: number, { task, caseIndex }: About): SQL {
  return sql`select 1 as is_known, ${JSON.stringify([task, caseIndex])} as failed, ${problems.testDataVersion} as judged_with
    from ${problems} where ${problems.id} = ${problemId}`
}

async function lookAt(db: Db, problemId: number, about: About): Promise<LookedAt> {
  const { mistake } = about
  const looked = mistake === null ? selectCase(problemId, about) : selectGroup(problemId, mistake)
  const rows = await rawQuery<LookedRow>(
    db,
    sql`select distinct ${problems.judgingChangedAtMs} as judgingChangedAtMs, ${problems.testDataVersion} as active,
        looked.is_known as isKnown, looked.failed, looked.judged_with as judgedWith,
        ${subtasks.caseCount} as caseCount, ${subtasks.isSample} as isSample,
        ${testDataVersions.objectKey} as zipKey, ${testDataVersions.sizeBytes} as zipBytes
      from ${problems} cross join (${looked}) looked
        left join ${subtasks} on ${subtasks.problemId} = ${problems.id} and ${subtasks.position} = looked.failed ->> 0
        left join ${testDataVersions} on ${testDataVersions.id} = looked.judged_with
      where ${problems.id} = ${problemId}`,
  )
  const [first] = rows
  if (!first) throw new AppError('problem_not_found')
  return {
    ...about,
    judgingChangedAtMs: first.judgingChangedAtMs,
    isAllKnown: rows.every(({ isKnown }) => isKnown === 1),
    cases: rows.flatMap(({ failed, isSample, ...same }) => {
      if (failed === null) return []
      const [task, index] = JSON.parse(failed) as [number, number]
      const isOpen = isSample === null ? null : isSample === 1
      return [{ ...same, failed: { task, case: index }, isSample: isOpen }]
    }),
  }
}

/** Finds what a new hint is about. */
export async function lookAtNew(
  db: Db,
  problemId: number,
  { mistake, failed }: Pick<NewHint, 'mistake' | 'failed'>,
): Promise<LookedAt> {
  return lookAt(db, problemId, {
    mistake,
    task: failed?.task ?? null,
    caseIndex: failed?.case ?? null,
  })
}

/** Finds what a stored hint is about. @throws AppError `hint_not_found` if the problem has no such hint */
export async function lookAtStored(db: Db, problemId: number, hintId: number): Promise<LookedAt> {
  const { mistake, task, caseIndex } = hints
  const about = await db
    .select(aliasColumns({ mistake, task, caseIndex }))
    .from(hints)
    .where(and(eq(hints.id, hintId), eq(hints.problemId, problemId)))
    .get()
  if (!about) throw new AppError('hint_not_found')
  return lookAt(db, problemId, about)
}
