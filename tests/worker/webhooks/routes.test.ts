/** The webhook of a course: who may set it, which addresses it takes, and what its answers keep secret. */
import { beforeAll, expect, test } from 'vitest'
import { newWebhook } from '#contract/course-webhooks'
import { allRows } from '../support/sql.ts'
import { createPerson } from '../support/world.ts'
import { createHooked } from '../support/webhooks.ts'

let hooked: Awaited<ReturnType<typeof createHooked>>
beforeAll(async () => {
  hooked = await createHooked()
})

const REFUSED = [
  '',
  'hooks.example.org',
  'http://example.org/',
  'ftp://example.org/',
  'https://me@example.org/',
  'https://me:secret@example.org/',
  'https://:secret@example.org/',
  'https://example.org:8443/',
  'https://example.org:80/',
  // IP addresses in every notation.
  'https://127.0.0.1/',
  'https://10.0.0.1./',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://１２７.0.0.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://8.8.8.8/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[fd00::1]/',
  // Names of the own machine or network.
  'https://localhost/',
  'https://localhost./',
  'https://LOCALHOST/',
  'https://ｌocalhost/',
  'https://a.localhost/',
  'https://printer.local/',
  'https://metadata.google.internal/',
  'https://metadata.google.internal./',
  'https://router.home.arpa/',
  'https://nas.lan/',
  'https://www.intranet/',
  'https://intranet/',
  'https://hooks.test/',
  'https://a.onion/',
  // An address that seems to be another one.
  'https://127.0.0.1#@example.org/',
  'https://127.0.0.1?example.org',
  `https://example.org/${'a'.repeat(500)}`,
]

test.each(REFUSED)('the address %s is refused', (url) => {
  expect(newWebhook.safeParse({ url }).error?.issues[0]?.path).toEqual(['url'])
})

test('a refusal names the field', async () => {
  const { status, code, data } = await hooked.teacher.put(hooked.path, { url: 'https://10.0.0.1' })
  expect([status, code, data[0].path]).toEqual([400, 'bad_body', ['url']])
})

test.each([
  ['https://example.org', 'https://example.org/'],
  ['  https://example.org/in ', 'https://example.org/in'],
  ['https://example.org:443/in?key=1', 'https://example.org/in?key=1'],
  ['HTTPS://Example.ORG/In', 'https://example.org/In'],
  ['https://example.org\\@127.0.0.1:80/', 'https://example.org/@127.0.0.1:80/'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ['https://a.xn--p1ai/', 'https://a.xn--p1ai/'],
  ['https://my-host.local.example.org/', 'https://my-host.local.example.org/'],
])('the address %s is stored as %s', (url, stored) => {
  expect(newWebhook.parse({ url })).toEqual({ url: stored })
})

test('a secret is 32 bytes, new each time, and only the answer that makes it has it', async () => {
  const { teacher, path, course } = await createHooked()
  const url = 'https://example.org/in/path-secret?key=query-secret'
  const [first, second] = [await teacher.put(path, { url }), await teacher.put(path, { url })]
  for (const { data } of [first, second]) {
    expect(data.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  }
  expect(first.data.secret).not.toBe(second.data.secret)
  const { data } = await teacher.get(path)
  expect(data).toEqual({
    url,
    createTime: expect.any(Number),
    failingSince: null,
    fault: null,
    offAt: null,
  })
  await teacher.delete(path)
  await teacher.delete(path)
  expect((await teacher.get(path)).data).toBeNull()
  const entries = await allRows<{ action: string; detail: string }>`
    select action, detail from audit_entries where subject = ${course} and action like 'webhook.%' order by id`
  expect(entries.slice(1)).toEqual([
    { action: 'webhook.set', detail: '{"host":"example.org"}' },
    { action: 'webhook.set', detail: '{"host":"example.org"}' },
    { action: 'webhook.delete', detail: '{}' },
  ])
})

test('a test is sent at once, signed, and the answer says what came of it', async () => {
  const { teacher, path, course, received, answerWith, state } = await createHooked()
  expect((await teacher.post(`${path}/trial`)).data).toEqual({ fault: null })
  expect(await received()).toMatchObject([
    { id: expect.stringMatching(/^test_/), event: { type: 'test', data: { course } } },
  ])
  await answerWith(404)
  expect((await teacher.post(`${path}/trial`)).data).toEqual({ fault: '404' })
  expect(await state()).toMatchObject({ failingSince: null })
  await teacher.delete(path)
  expect(await teacher.post(`${path}/trial`)).toMatchObject({
    status: 404,
    code: 'webhook_not_found',
  })
})

test('only who manages the course reads, sets, tries and removes it', async () => {
  const { path, ta, student, teacher } = hooked
  const [outsider, admin] = [await createPerson(1), await createPerson(0)]
  const url = 'https://example.org/'
  for (const [person, status] of [
    [ta, 403],
    [student, 403],
    [outsider, 404],
  ] as const)
    expect([
      (await person.get(path)).status,
      (await person.put(path, { url })).status,
      (await person.delete(path)).status,
      (await person.post(`${path}/trial`)).status,
    ]).toEqual([status, status, status, status])
  for (const person of [teacher, admin]) expect((await person.get(path)).status).toBe(200)
  expect((await admin.get('/course/Public/webhook')).status).toBe(403)
})
