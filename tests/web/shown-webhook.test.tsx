/** The webhook on the settings page: what each state says and offers. */
import { expect, test } from 'vitest'
import type { CourseWebhook } from '#contract/course-webhooks'
import { WebhookSection, webhookQuery } from '../../web/features/courses/webhook-section.tsx'
import { formatTime } from '../../web/lib/format/format.ts'
import { controlsOf, COURSE, render, textOf } from './fixtures/rendered.tsx'

const { course } = COURSE
const STORED = {
  url: 'https://example.org/in',
  createTime: 86_400,
  failingSince: null,
  fault: null,
  offAt: null,
}

const shown = (webhook: CourseWebhook) =>
  render(<WebhookSection course={course} />, { reads: [[webhookQuery(course), webhook]] })

test('where there is none, one sets it up', () => {
  const markup = shown(null)
  expect(Object.keys(controlsOf(markup))).toEqual(['Set up the webhook'])
  expect(markup).toMatch(/<input[^>]* value=""/)
})

test('one that works says since when, and can be tested, renewed and removed', () => {
  const markup = shown(STORED)
  expect(textOf(markup)).toContain(`In use since ${formatTime(86_400)}`)
  expect(Object.keys(controlsOf(markup))).toEqual([
    'Save and make a new secret',
    'Send a test',
    'Remove the webhook',
  ])
  expect(markup).toMatch(/<input[^>]* value="https:\/\/example.org\/in"/)
})

test.each([
  ['500', 'The address answered with status 500.'],
  ['silent', 'The address did not answer within 8 seconds.'],
])('one that fails (%s) says since when, why and what happens', (fault, why) => {
  const text = textOf(shown({ ...STORED, failingSince: 172_800, fault }))
  expect(text).toContain(
    `The address takes no calls It has failed since ${formatTime(172_800)} ${why} The judge tries again`,
  )
  expect(text).not.toContain('In use')
})

test('one that is off says so and what to do', () => {
  const markup = shown({ ...STORED, failingSince: 172_800, fault: '410', offAt: 259_200 })
  expect(textOf(markup)).toMatch(
    /The webhook is switched off .* status 410\. Nothing is sent any more\. Make the address work/,
  )
  expect(textOf(markup)).not.toContain('tries again')
})
