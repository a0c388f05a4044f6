/** Many people join at once: none is lost, none comes twice, and never more than allowed. */
import { expect, test } from 'vitest'
import { createCode, outcome } from '../support/joining.ts'
import { recordCall } from '../support/round-trips-recorder.ts'
import { firstRow } from '../support/sql.ts'
import { addStudents, createPerson, type Person } from '../support/world.ts'

const createStudents = async (count: number) => {
  const people: Person[] = []
  for (let made = 0; made < count; made += 1) people.push(await createPerson(2))
  return people
}

/** How many of the outcomes are which. */
function tally(outcomes: unknown[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const one of outcomes) counts[String(one)] = (counts[String(one)] ?? 0) + 1
  return counts
}

/** How many members came by a code, and how many the code has counted. */
const countsOf = (
  id: number,
) => firstRow`select (select count(*) from memberships where join_code_id = ${id}) as came,
  joined from join_codes where id = ${id}`

test('of thirty people at once, a code for twenty lets in exactly twenty', async () => {
  const { id, join } = await createCode({ most: 20 })
  const people = await createStudents(30)
  const outcomes = await Promise.all(people.map(async (person) => outcome(await join(person))))
  expect(tally(outcomes)).toEqual({ joined: 20, join_code_full: 10 })
  expect(await countsOf(id)).toEqual({ came: 20, joined: 20 })
})

test('the same person twice at once is in once', async () => {
  const { id, join } = await createCode()
  const person = await createPerson(2)
  const outcomes = await Promise.all([1, 2, 3].map(async () => outcome(await join(person))))
  expect(tally(outcomes)).toEqual({ joined: 1, already_member: 2 })
  expect(await countsOf(id)).toEqual({ came: 1, joined: 1 })
})

test('while a code is rotated, everybody is either in or told that the code is gone', async () => {
  const { id, join, edit } = await createCode()
  const people = await createStudents(10)
  const rotate = edit({ rotate: true })
  const outcomes = await Promise.all(people.map(async (person) => outcome(await join(person))))
  expect((await rotate).status).toBe(200)
  const { joined = 0, join_code_not_found: gone = 0, ...others } = tally(outcomes)
  expect(others).toEqual({})
  expect(joined + gone).toBe(10)
  expect(await countsOf(id)).toEqual({ came: joined, joined })
})

test('a join costs the same in a course of three hundred', async () => {
  const { course, teacher, code } = await createCode()
  const costs = async () => {
    const as = await createPerson(2)
    const { status, trips } = await recordCall('POST', '/join', { as, json: { code } })
    expect(status).toBe(200)
    const sum = (of: 'rowsRead' | 'rowsWritten') => trips.reduce((all, trip) => all + trip[of], 0)
    return { trips: trips.length, read: sum('rowsRead'), written: sum('rowsWritten') }
  }
  const few = await costs()
  await addStudents({ course, teacher }, 300)
  const many = await costs()
  expect(many).toEqual(few)
  expect(few.trips).toBeLessThanOrEqual(3)
  expect(few.written).toBeLessThanOrEqual(20)
})
