/** Calls of webhooks: addresses of other people's choice. */

/** How long a webhook may take to answer. */
const ANSWER_MS = 8_000

/**
 * Posts JSON to a webhook. Redirects are not followed, because they may lead anywhere, and the body of the answer is not read.
 * @returns null if the webhook took it (2xx), else the status of its answer, or `silent` if there was none in time
 */
export async function callWebhook(
  url: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<string | null> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_MS),
    // The error is dropped: it may name the URL, which is secret.
  }).catch(() => null)
  await answer?.body?.cancel()
  if (!answer) return 'silent'
  return answer.ok ? null : String(answer.status)
}
