/** If-Match on test data, and on edits of things without a version of their own in the database. */
import { describe, expect, test } from 'vitest'
import { zipOf } from '../support/zip.ts'
import {
  call,
  createPeople,
  createPerson,
  createProblem,
  FITTING_ENTRIES,
  problemForm,
  uniqueName,
  type Person,
} from '../support/world.ts'

/** The ETag of a read. */
async function tagOf(path: string, as: Person): Promise<string> {
  return (await as.get(path)).headers.get('ETag') ?? ''
}

const STALE = { status: 409, code: 'stale_edit' }

describe('an edit on an older read is refused, one without If-Match is not', () => {
  test('POST /profile, whoever has changed the account', async () => {
    const [admin, person] = await createPeople(0, 2)
    const path = `/profile/${person.username}`
    const first = await tagOf(path, person)
    const save = (bio: string, tag?: string) =>
      person.post('/profile', { bio }, tag === undefined ? {} : { 'If-Match': tag })
    expect((await save('one', first)).status).toBe(200)
    expect(await save('two', first)).toMatchObject(STALE)
    const second = await tagOf(path, person)
    const email = `${person.username}@moved.example.test`
    await admin.patch(`/user/${person.username}`, { email })
    expect(await save('two', second)).toMatchObject(STALE)
    // A proxy that compresses an answer changes its tag in this way.
    const weak = `W/${await tagOf(path, person)}`
    expect((await save('three', weak)).status).toBe(200)
    expect(await save('four', weak)).toMatchObject(STALE)
    expect((await save('two')).status).toBe(200)
    expect((await person.get(path)).data.bio).toBe('two')
  })

  test('PATCH /user, by the tag of the list or of the profile', async () => {
    const [admin, person] = await createPeople(0, 2)
    const path = `/user/${person.username}`
    const item = async () => (await admin.get(`/user?search=${person.username}`)).data.items[0]
    const patch = (json: object, tag: string) => admin.patch(path, json, { 'If-Match': tag })
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
    const [admin, person] = await createPeople(0, 2)
    const { data } = await admin.get(`/user?search=${person.username}`)
    const headers = { 'If-Match': data.items[0].etag }
    const answers = await Promise.all(
      ['One', 'Two', 'Three'].map((displayedName) =>
        admin.patch(`/user/${person.username}`, { displayedName }, headers),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  })

  test('a tag tells who may not see the e-mail nothing of it', async () => {
    const [admin, person, other] = await createPeople(0, 2, 2)
    const path = `/profile/${person.username}`
    const before = await tagOf(path, other)
    const email = `${person.username}@moved.example.test`
    await admin.patch(`/user/${person.username}`, { email })
    expect(await tagOf(path, other)).toBe(before)
    expect(before).not.toMatch(/^"v\d/)
  })

  test('PATCH /runners', async () => {
    const admin = await createPerson(0)
    const name = uniqueName('rack')
    const { runnerId } = (await admin.post('/runners', { name })).data
    const item = async () =>
      (await admin.get('/runners')).data.find((runner: { name: string }) => runner.name === name)
    const patch = (json: object, tag?: string) =>
      admin.patch(`/runners/${runnerId}`, json, tag === undefined ? {} : { 'If-Match': tag })
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
    await teacher.put(path, problemForm({ problemName: 'Edited' }))
    expect(await send(ta, first)).toMatchObject(STALE)
    const second = await tagOf(path, ta)
    const { testDataVersion } = (await ta.get(path)).data
    expect((await send(ta, second)).status).toBe(200)
    expect(await send(teacher, second)).toMatchObject(STALE)
    const now = (await ta.get(path)).data
    expect(now.testDataVersion).not.toBe(testDataVersion)
    expect((await send(teacher)).status).toBe(200)
  })
})
