/** If others change dates between what a change reads and what it writes, it reads again, at most three times. */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { openDb, type Db } from '../../../worker/db/client.ts'
import { changeOverrides } from '../../../worker/features/homeworks/override-queries.ts'
import { findHomeworkAccess } from '../../../worker/features/homeworks/queries.ts'
import { createDatedHomework, handIn, HOUR, keptFor } from '../support/dated-homework.ts'
import { actorOf, rivalled } from '../support/rivalled.ts'
import { firstValue, runSql } from '../support/sql.ts'

/** A homework with a late submission, and a change that takes most of its points. */
async function createChange() {
  const world = await createDatedHomework()
  const { student, teacher, homeworkId, problemId, now } = world
  await handIn(student, problemId, 80, now)
  const actor = actorOf(teacher)
  const access = await findHomeworkAccess(openDb(env.DB), actor, homeworkId)
  if (!access) throw new Error('the teacher does not see the homework')
  const overrides = [{ username: student.username, latePercent: 10 }]
  const change = { actor, ip: '', now }
  return { ...world, run: (db: Db) => changeOverrides(db, access, overrides, change) }
}

test('a change keeps the marks that the other change gave', async () => {
  const { homeworkId, student, teacher, now, run } = await createChange()
  const db = rivalled(1, async () => {
    await runSql`insert into homework_overrides (homework_id, due, setter_id, set_at)
      values (${homeworkId}, ${now + HOUR}, ${teacher.id}, 1)`
    await runSql`update homeworks set version = version + 1 where id = ${homeworkId}`
  })
  expect(await run(db)).toEqual({ kept: 0 })
  await runSql`delete from homework_overrides where homework_id = ${homeworkId} and user_id is null`
  expect(await keptFor(homeworkId, student)).toBeNull()
})

test('a change of members or labels counts, too', async () => {
  const { course, homeworkId, student, run } = await createChange()
  const db = rivalled(
    2,
    () => runSql`update courses set version = version + 1 where name = ${course}`,
  )
  expect(await run(db)).toEqual({ kept: 1 })
  expect(await keptFor(homeworkId, student)).toBe(7_200)
})

test('after three times the change is refused, and nothing is written', async () => {
  const { homeworkId, student, run } = await createChange()
  const db = rivalled(
    3,
    () => runSql`update homeworks set version = version + 1 where id = ${homeworkId}`,
  )
  await expect(run(db)).rejects.toMatchObject({ code: 'stale_edit' })
  expect(await keptFor(homeworkId, student)).toBeNull()
  expect(
    await firstValue`select count(*) from homework_overrides where homework_id = ${homeworkId}`,
  ).toBe(0)
})
