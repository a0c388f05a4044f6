/** If a problem is deleted between the guard and the statements, the change writes nothing. */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { problemForm as formSchema } from '#contract/problems'
import { openDb } from '../../../worker/db/client.ts'
import { findProblemAccess } from '../../../worker/features/problems/access-queries.ts'
import { insertCopy } from '../../../worker/features/problems/copy-queries.ts'
import { deleteProblem, updateProblem } from '../../../worker/features/problems/edit-queries.ts'
import { insertFile } from '../../../worker/features/problems/file-queries.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { newHexId } from '../../../worker/lib/ids.ts'
import { allRows } from '../support/sql.ts'
import { createProblem, problemForm } from '../support/world.ts'

const db = openDb(env.DB)

test('an edit, another deletion, a file and a copy come too late', async () => {
  const { teacher, problemId } = await createProblem()
  const actor = {
    id: teacher.id,
    username: teacher.username,
    displayedName: '',
    role: 1,
    email: '',
    emailConfirmedAt: 1,
    confirmDueAt: null,
    bio: '',
  } as const
  const change = { actor, ip: '', now: nowSeconds() }
  const access = await findProblemAccess(db, actor, problemId, change.now)
  if (!access) throw new Error('the teacher does not see the problem')
  expect((await teacher.delete(`/problem/manage/${problemId}`)).status).toBe(200)
  const rows = async () => [
    await allRows`select * from problems where id = ${problemId}`,
    await allRows`select * from subtasks where problem_id = ${problemId}`,
    await allRows`select * from problem_files where problem_id = ${problemId}`,
    await allRows`select * from audit_entries where actor_id = ${teacher.id}`,
  ]
  const before = await rows()
  const oneCase = [{ caseCount: 1, taskScore: 100, memoryLimit: 65_536, timeLimit: 1_000 }]
  const form = formSchema.parse(problemForm({ problemName: 'Late', testCase: oneCase }))
  const stale = { code: 'stale_edit' }
  await expect(updateProblem(db, access, form, null, change)).rejects.toMatchObject(stale)
  await expect(deleteProblem(db, access, null, change)).rejects.toMatchObject(stale)
  const file = { fileId: newHexId(Date.now()), name: 'x', type: 'image/png', size: 1 } as const
  await expect(insertFile(db, problemId, file, change)).rejects.toMatchObject({
    code: 'too_many_files',
  })
  await createProblem()
  const newest = () => allRows`select * from problems order by id desc limit 1`
  const neighbour = await newest()
  const course = {
    ...access,
    id: access.courseId,
    name: access.course,
    teacherId: null,
    counts: 'best' as const,
    closedAt: null,
    version: 1,
  }
  await expect(insertCopy(db, access, course, change)).rejects.toMatchObject({
    code: 'problem_not_found',
  })
  expect(await newest()).toEqual(neighbour)
  expect(await rows()).toEqual(before)
})
