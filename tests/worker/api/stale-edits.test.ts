/** If-Match on edits of what has no version of its own in the database, and on test data. */
import { describe, expect, test } from 'vitest'
import { zipOf } from '../support/zip.ts'
import {
  call,
  createPerson,
  createProblem,
  FITTING_ENTRIES,
  problemForm,
  uniqueName,
  type Person,
} from '../support/world.ts'

/** The ETag of a read. */
async function tagOf(path: string, as: Person): Promise<string> {
  return (await call('GET', path, { as })).headers.get('ETag') ?? ''
}

const STALE = { status: 409, code: 'stale_edit' }

describe('an edit on an older read is refused, one without If-Match is not', () => {
  test('POST /profile, whoever has changed the account', async () => {
    const [admin, person] = [await createPerson(0), await createPerson(2)]
    const path = `/profile/${person.username}`
    const first = await tagOf(path, person)
    const save = (bio: string, tag?: string) =>
      call('POST', '/profile', {
        as: person,
        json: { bio },
        headers: tag === undefined ? {} : { 'If-Match': tag },
      })
    expect((await save('one', first)).status).toBe(200)
    expect(await save('two', first)).toMatchObject(STALE)
    const second = await tagOf(path, person)
    const email = `${person.username}@moved.example.test`
    await call('PATCH', `/user/${person.username}`, { as: admin, json: { email } })
    expect(await save('two', second)).toMatchObject(STALE)
    expect((await save('two')).status).toBe(200)
    expect((await call('GET', path, { as: person })).data.bio).toBe('two')
  })

  test('PATCH /user, by the tag of the list or of the profile', async () => {
    const [admin, person] = [await createPerson(0), await createPerson(2)]
    const path = `/user/${person.username}`
    const item = async () =>
      (await call('GET', `/user?search=${person.username}`, { as: admin })).data.items[0]
    const patch = (json: object, tag: string) =>
      call('PATCH', path, { as: admin, json, headers: { 'If-Match': tag } })
    const first = (await item()).etag
    const ofProfile = await tagOf(`/profile/${person.username}`, admin)
    const changed = await patch({ displayedName: 'Changed' }, first)
    expect(changed).toMatchObject({ status: 200, data: { etag: (await item()).etag } })
    for (const tag of [first, ofProfile, '"x"'])
      expect(await patch({ role: 1 }, tag)).toMatchObject(STALE)
    expect((await patch({ active: false }, changed.data.etag)).status).toBe(200)
    expect(await patch({ active: true }, changed.data.etag)).toMatchObject(STALE)
    expect(await item()).toMatchObject({ displayedName: 'Changed', role: 2, active: false })
    expect(
      (await patch({ role: 1 }, await tagOf(`/profile/${person.username}`, admin))).status,
    ).toBe(200)
    expect((await patch({ role: 2 }, '*')).status).toBe(200)
  })

  test('PATCH /user of two admins at once: one of them is told', async () => {
    const [admin, person] = [await createPerson(0), await createPerson(2)]
    const { data } = await call('GET', `/user?search=${person.username}`, { as: admin })
    const headers = { 'If-Match': data.items[0].etag }
    const answers = await Promise.all(
      ['One', 'Two', 'Three'].map((displayedName) =>
        call('PATCH', `/user/${person.username}`, { as: admin, json: { displayedName }, headers }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  })

  test('a tag tells who may not see the e-mail nothing of it', async () => {
    const [admin, person, other] = [
      await createPerson(0),
      await createPerson(2),
      await createPerson(2),
    ]
    const path = `/profile/${person.username}`
    const before = await tagOf(path, other)
    const email = `${person.username}@moved.example.test`
    await call('PATCH', `/user/${person.username}`, { as: admin, json: { email } })
    expect(await tagOf(path, other)).toBe(before)
    expect(before).not.toMatch(/^"v\d/)
  })

  test('PATCH /runners', async () => {
    const admin = await createPerson(0)
    const name = uniqueName('rack')
    const { runnerId } = (await call('POST', '/runners', { as: admin, json: { name } })).data
    const item = async () =>
      (await call('GET', '/runners', { as: admin })).data.find(
        (runner: { name: string }) => runner.name === name,
      )
    const patch = (json: object, tag?: string) =>
      call('PATCH', `/runners/${runnerId}`, {
        as: admin,
        json,
        headers: tag === undefined ? {} : { 'If-Match': tag },
      })
    const { etag } = await item()
    expect((await patch({ state: 'draining' }, etag)).status).toBe(200)
    expect(await patch({ state: 'draining' }, etag)).toMatchObject(STALE)
    expect((await item()).state).toBe('draining')
    expect((await patch({ state: 'active' })).status).toBe(200)
    expect((await patch({}, etag)).status).toBe(200)
  })

  test('PUT /problem/manage with a zip, which is an edit itself', async () => {
    const { teacher, ta, problemId } = await createProblem()
    const path = `/problem/manage/${problemId}`
    const send = async (as: Person, tag?: string) => {
      const form = new FormData()
      form.set('case', new File([await zipOf(FITTING_ENTRIES)], 'data.zip'))
      const headers: Record<string, string> = tag === undefined ? {} : { 'If-Match': tag }
      return call('PUT', path, { as, body: form, headers })
    }
    const first = await tagOf(path, ta)
    await call('PUT', path, { as: teacher, json: problemForm({ problemName: 'Edited' }) })
    expect(await send(ta, first)).toMatchObject(STALE)
    const second = await tagOf(path, ta)
    const { testDataVersion } = (await call('GET', path, { as: ta })).data
    expect((await send(ta, second)).status).toBe(200)
    expect(await send(teacher, second)).toMatchObject(STALE)
    const now = (await call('GET', path, { as: ta })).data
    expect(now.testDataVersion).not.toBe(testDataVersion)
    expect((await send(teacher)).status).toBe(200)
  })
})
