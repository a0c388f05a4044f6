/** Mail drivers, and what happens to a mail that cannot be sent. */
import { describe, expect, test, vi } from 'vitest'
import {
  cloudflareMailer,
  deliverMail,
  httpMailer,
  MailLimited,
  type Mail,
} from '../../../worker/lib/mail.ts'

const MAIL: Mail = {
  to: 'someone@example.test',
  subject: 'Hello',
  text: 'https://judge.test/#token=secret',
}

describe('the drivers', () => {
  test('http posts JSON with the key, and takes anything but success for a fault', async () => {
    const calls: { url: string; init: RequestInit | undefined }[] = []
    const options = { url: 'https://mail.test/send', key: 'k', from: 'judge@example.test' }
    const answering = (status: number) =>
      httpMailer(options, async (url, init) => {
        calls.push({ url: String(url), init })
        return new Response(null, { status })
      })
    await answering(202).send(MAIL)
    expect(calls[0]?.url).toBe(options.url)
    expect(new Headers(calls[0]?.init?.headers).get('Authorization')).toBe('Bearer k')
    expect(JSON.parse(String(calls[0]?.init?.body))).toEqual({ from: options.from, ...MAIL })
    await expect(answering(500).send(MAIL)).rejects.toThrow('500')
  })

  test('http hands over headers and the key; a key that was used means that the mail is out', async () => {
    const options = { url: 'https://mail.test/send', key: 'k', from: 'judge@example.test' }
    const inits: RequestInit[] = []
    const answering = (status: number, body: string) =>
      httpMailer(options, async (_, init = {}) => {
        inits.push(init)
        return new Response(body, { status })
      })
    const headers = { 'List-Unsubscribe': '<https://judge.test/>' }
    const mail = { ...MAIL, headers, idempotencyKey: 'same' }
    await answering(409, '{"name":"invalid_idempotent_request"}').send(mail)
    expect(new Headers(inits[0]?.headers).get('Idempotency-Key')).toBe('same')
    expect(JSON.parse(String(inits[0]?.body))).toEqual({ from: options.from, ...MAIL, headers })
    const underWay = answering(409, '{"name":"concurrent_idempotent_requests"}')
    await expect(underWay.send(mail)).rejects.toThrow('409')
    await expect(answering(409, '').send(MAIL)).rejects.toThrow('409')
    expect(new Headers(inits[2]?.headers).has('Idempotency-Key')).toBe(false)
  })

  test('http sends by fetch', async () => {
    const options = { key: 'k', from: 'judge@example.test' }
    await expect(httpMailer({ ...options, url: 'data:,taken' }).send(MAIL)).resolves.toBe(undefined)
    await expect(httpMailer({ ...options, url: 'nowhere:' }).send(MAIL)).rejects.toThrow()
  })

  test('cloudflare hands over to its binding', async () => {
    const sent: unknown[] = []
    const binding = {
      async send(mail: unknown) {
        sent.push(mail)
        return { messageId: '1' }
      },
    }
    const mailer = cloudflareMailer(binding, 'judge@example.test')
    const headers = { 'List-Unsubscribe': '<https://judge.test/>' }
    await mailer.send(MAIL)
    await mailer.send({ ...MAIL, headers, idempotencyKey: 'unknown to it' })
    const plain = { from: 'judge@example.test', ...MAIL }
    expect(sent).toEqual([plain, { ...plain, headers }])
  })
})

describe('a service that takes no more mails', () => {
  const options = { url: 'https://mail.test/send', key: 'k', from: 'judge@example.test' }
  const answering = (retryAfter?: string) =>
    httpMailer(options, async () => {
      const headers = new Headers(retryAfter === undefined ? {} : { 'Retry-After': retryAfter })
      return new Response(null, { status: 429, headers })
    })

  test.each([
    ['so many seconds', '3600', 3_600],
    ['no seconds', '0', 1],
    ['a date', new Date(Date.now() + 7_200_000).toUTCString(), 7_200],
    ['nothing', undefined, 600],
    ['nonsense', 'soon', 600],
    ['more than a day, of which a day counts', '9'.repeat(400), 86_400],
    ['a date of another century, of which a day counts', 'Fri, 31 Dec 9999 23:59:59 GMT', 86_400],
  ])('says for how long by %s', async (_, retryAfter, seconds) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const pauses: number[] = []
    const told = await deliverMail(answering(retryAfter), MAIL, async (ms) => pauses.push(ms))
    expect(told).toBeInstanceOf(MailLimited)
    if (!(told instanceof MailLimited)) throw new Error('not limited')
    expect(Math.abs(told.waitSeconds - seconds)).toBeLessThanOrEqual(1)
    // A short wait becomes a pause between attempts.
    expect(pauses).toEqual(seconds === 1 ? [1_000, 1_000] : [])
    log.mockRestore()
  })

  test('is known by the codes of Cloudflare’s binding', async () => {
    const refusing = (code: string) =>
      cloudflareMailer(
        { send: () => Promise.reject(Object.assign(new Error('no'), { code })) },
        'judge@example.test',
      ).send(MAIL)
    await expect(refusing('E_RATE_LIMIT_EXCEEDED')).rejects.toMatchObject({ waitSeconds: 60 })
    await expect(refusing('E_DAILY_LIMIT_EXCEEDED')).rejects.toMatchObject({ waitSeconds: 3_600 })
    await expect(refusing('E_DELIVERY_FAILED')).rejects.not.toBeInstanceOf(MailLimited)
  })
})

test('a fault of a driver is logged in time that grows with its length', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const timed = async (length: number) => {
    const broken = {
      async send() {
        throw new Error(`${'x'.repeat(length)} to someone@example.test`)
      },
    }
    const start = performance.now()
    await deliverMail(broken, MAIL, async () => {})
    return performance.now() - start
  }
  await timed(20_000)
  // A search that begins at every position would take 400 times as long for a text twenty times as long.
  expect(await timed(400_000)).toBeLessThan(100 * Math.max(1, await timed(20_000)))
  expect(JSON.stringify(log.mock.calls)).not.toContain('someone')
  log.mockRestore()
})

test('a mail that fails is tried three times, then logged without address or link, and nothing is thrown', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  let tries = 0
  const pauses: number[] = []
  const broken = {
    async send(mail: Mail) {
      tries += 1
      throw new Error(`no route to ${mail.to}`)
    },
  }
  expect(await deliverMail(broken, MAIL, async (ms) => pauses.push(ms))).toBe('failed')
  expect([tries, pauses]).toEqual([3, [1_000, 2_000]])
  expect(log).toHaveBeenCalledTimes(3)
  expect(log.mock.calls.map(([line]) => JSON.parse(String(line)))).toEqual(
    [1, 2, 3].map((attempt) => ({ mail: 'Hello', attempt, error: 'Error: no route to …' })),
  )
  log.mockRestore()
})

test('a mail that was sent at the second try is sent once', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const tries: Mail[] = []
  const busyOnce = {
    async send(mail: Mail) {
      if (tries.push(mail) === 1) throw new Error('busy')
    },
  }
  expect(await deliverMail(busyOnce, MAIL, async () => {})).toBe('sent')
  expect(tries).toEqual([MAIL, MAIL])
  log.mockRestore()
})
