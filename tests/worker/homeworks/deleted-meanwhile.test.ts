/** If a homework is deleted between the guard and the statements, dates and points come too late. */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { openDb } from '../../../worker/db/client.ts'
import {
  changeOverrides,
  removeOverrides,
} from '../../../worker/features/homeworks/override-queries.ts'
import { givePoints } from '../../../worker/features/homeworks/points-queries.ts'
import { findHomeworkAccess } from '../../../worker/features/homeworks/queries.ts'
import { createDatedHomework } from '../support/dated-homework.ts'
import { firstValue } from '../support/sql.ts'

const db = openDb(env.DB)

test('dates and points for a homework that is gone are refused and leave no audit entry', async () => {
  const { teacher, student, homeworkId, path, now } = await createDatedHomework()
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
  const change = { actor, ip: '', now }
  const access = await findHomeworkAccess(db, actor, homeworkId)
  if (!access) throw new Error('the teacher does not see the homework')
  expect((await teacher.delete(path)).status).toBe(200)
  const { username } = student
  const gone = { code: 'homework_not_found' }
  const given = { username, problemId: null, points: 5, comment: '' }
  const entries = () => firstValue`select count(*) from audit_entries where subject = ${homeworkId}`
  const before = await entries()
  await expect(changeOverrides(db, access, [{ username, due: now }], change)).rejects.toMatchObject(
    gone,
  )
  await expect(removeOverrides(db, access, [{ username }], change)).rejects.toMatchObject(gone)
  await expect(givePoints(db, access, given, change)).rejects.toMatchObject(gone)
  expect(await entries()).toBe(before)
})
