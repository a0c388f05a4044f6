/** Mail leaves by the driver that is set, after the answer, and its faults stay behind the scenes. */
import { describe, expect, test, vi } from 'vitest'
import { mailerOf } from '../../worker/http/mail.ts'
import { activationLetter, resetLetter } from '../../worker/lib/mail-letters.ts'
import { cloudflareMailer, deliver, httpMailer, type Mail } from '../../worker/lib/mail.ts'
import { lastMailTo } from './mails.ts'
import { workerEnv } from './task-queue.ts'

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

  test('cloudflare hands over to its binding', async () => {
    const sent: unknown[] = []
    const binding = {
      async send(mail: unknown) {
        sent.push(mail)
        return { messageId: '1' }
      },
    }
    await cloudflareMailer(binding, 'judge@example.test').send(MAIL)
    expect(sent).toEqual([{ from: 'judge@example.test', ...MAIL }])
  })

  test('log keeps a row; none set is a fault with its reason', async () => {
    await mailerOf({ ...workerEnv, MAIL_DRIVER: 'log' }).send(MAIL)
    expect(await lastMailTo(MAIL.to)).toBe(MAIL.text)
    for (const [driver, word] of [
      [undefined, 'MAIL_DRIVER'],
      ['cloudflare', 'MAIL_FROM'],
      ['http', 'MAIL_API_URL'],
    ] as const)
      await expect(mailerOf({ ...workerEnv, MAIL_DRIVER: driver }).send(MAIL)).rejects.toThrow(word)
  })
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
  await deliver(broken, MAIL, async (ms) => pauses.push(ms))
  expect([tries, pauses]).toEqual([3, [1_000, 2_000]])
  expect(log).toHaveBeenCalledTimes(3)
  expect(JSON.stringify(log.mock.calls)).not.toMatch(/secret|someone/)
  log.mockRestore()
})

test('AU7 the secret of a letter stands behind #, where no server and no Referer sees it', () => {
  const reset = resetLetter('https://judge.test', 'a@example.test', 'TOKEN')
  expect(reset.text).toContain('https://judge.test/password_reset#token=TOKEN')
  const activation = activationLetter('https://judge.test', 'a@example.test', 'name', 'TOKEN')
  expect(activation.text).toContain('https://judge.test/password_reset#activate=TOKEN')
  expect(activation.text).toContain('name')
})
