/** People who come into a course by its code. */
import type { Page } from 'playwright-core'
import { joinCode, joinCodeText, joined, type JoinCode } from '#contract/joining'
import { createApiClient, type ApiClient } from '../../scripts/api-client.ts'
import { DEMO_PASSWORD } from '../../scripts/demo/accounts.ts'
import { tabTo } from './keys.ts'

/** Makes a code of a course; answers it and the link of its QR. */
export async function makeCode(
  staff: ApiClient,
  rules: Partial<JoinCode> = {},
): Promise<{ id: number; text: string; link: string }> {
  const made = await staff.call('POST', '/course/Demo/join-codes', joinCode, { json: rules })
  const text = joinCodeText(made.code ?? '')
  return { id: made.id, text, link: `/join#${text}` }
}

/** The address of a person who has joined by a code. */
export const addressOf = (username: string) => `${username}@example.org`

/** Makes an account by a code, with the password of the demo's people; answers its client. */
export async function joinAs(url: string, code: string, username: string): Promise<ApiClient> {
  const api = createApiClient(url)
  const json = { code, username, email: addressOf(username), password: DEMO_PASSWORD }
  await api.call('POST', '/join/account', joined, { json })
  await api.login(username, DEMO_PASSWORD)
  return api
}

/** Types what a new account needs. The keyboard's own key for the next field leads on from the first. */
export async function fillAccount(page: Page, username: string): Promise<void> {
  const texts = {
    Username: username,
    Email: addressOf(username),
    'New password': DEMO_PASSWORD,
    'Repeat the new password': DEMO_PASSWORD,
  }
  for (const [label, text] of Object.entries(texts)) {
    await tabTo(page, page.getByLabel(new RegExp(`^${label}`)))
    await page.keyboard.insertText(text)
  }
}
