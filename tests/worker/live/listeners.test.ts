/** Which members of a course get its hints, and who may open a socket at all. */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { openDb } from '../../../worker/db/client.ts'
import { listListeners } from '../../../worker/db/listeners.ts'
import { SESSION_SECONDS } from '../../../worker/db/lifetimes.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { firstValue, runSql } from '../support/sql.ts'
import { addMember, addStudents, call, createCourse, createPerson } from '../support/world.ts'

test('the people of a course are told who are signed in and may read it, but not who knows already', async () => {
  const [world, other] = [await createCourse(), await createCourse()]
  const { course, teacher, ta, student } = world
  const [away] = await addStudents(world, 1)
  if (!away) throw new Error('there is nobody')
  await addMember(other, student)
  await createPerson(0)
  await runSql`update sessions set last_seen_at = last_seen_at - ${SESSION_SECONDS.idle + 60} where user_id = ${away.id}`
  const id = Number(await firstValue`select id from courses where name = ${course}`)
  const told = async (capability: 'course.read' | 'question.answer', but: number) =>
    (await listListeners(openDb(env.DB), id, { capability, but }, nowSeconds())).toSorted(
      (a, b) => a - b,
    )
  expect(await told('course.read', 0)).toEqual([teacher.id, ta.id, student.id])
  expect(await told('course.read', ta.id)).toEqual([teacher.id, student.id])
  expect(await told('course.read', teacher.id)).toEqual([ta.id, student.id])
  expect(await told('question.answer', 0)).toEqual([teacher.id, ta.id])
})

test('a socket is for a session: a token opens none', async () => {
  const person = await createPerson(2)
  const made = await person.post('/auth/tokens', { name: 'script', scopes: ['read'] })
  const headers = { Upgrade: 'websocket', Origin: 'https://judge.test' }
  const answer = await call('GET', '/live', { token: made.data.token, headers })
  expect(answer).toMatchObject({ status: 403, code: 'token_scope' })
})
