/** One press in a mail program ends the mails with notices (RFC 8058), without signing in. */
import { exports } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { mailAt, newBox, notify } from '../support/notice-mails.ts'
import { firstValue, runSql } from '../support/sql.ts'
import { call, createCourse } from '../support/world.ts'

const worker: Fetcher = Reflect.get(exports, 'default')

test('the header of a mail ends the mails, from any program and for its person alone', async () => {
  await runSql`delete from notice_mails`
  const { course, teacher, ta } = await createCourse()
  const now = nowSeconds() + 60
  const make = (at: number) => notify(course, at, { kind: 'nobody_judges', subjectId: course, at })
  const box = newBox()
  await make(now)
  await mailAt(now, box)
  const headers = box.to(ta)[0]?.headers ?? {}
  expect(headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
  const url = /^<(.+)>$/.exec(headers['List-Unsubscribe'] ?? '')?.[1] ?? ''
  const token = new URL(url).searchParams.get('token')
  expect(box.to(ta)[0]?.text).toContain(`https://judge.test/unsubscribe#token=${token}`)

  await make(now + 3_600)
  const answer = await worker.fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'https://mail.test' },
    body: 'List-Unsubscribe=One-Click',
  })
  expect(answer.status).toBe(200)
  await mailAt(now + 3_600, box)
  expect([box.to(ta).length, box.to(teacher).length]).toEqual([1, 2])
  expect(await firstValue`select count(*) from notice_mails`).toBe(0)
  expect((await ta.get('/notices/settings')).data.mails).toBe(false)
  expect((await teacher.get('/notices/settings')).data.mails).toBe(true)
})

test('a token that nobody has is refused', async () => {
  for (const token of ['', 'wrong', '%'])
    expect(
      (await call('POST', `/notices/unsubscribe?token=${encodeURIComponent(token)}`)).code,
    ).toBe('bad_link')
  expect((await call('POST', '/notices/unsubscribe')).code).toBe('bad_query')
})
