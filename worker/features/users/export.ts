/**
 * GET /auth/me/export: the caller's own data as one JSON document, streamed, because there may be many
 * submissions.
 */
import type { Context } from 'hono'
import type { Db } from '../../db/client.ts'
import { changeOf } from '../../http/change.ts'
import { streamOf } from '../../http/download.ts'
import { demandTokens } from '../../http/rate-limit.ts'
import type { UserEnv } from '../../http/session.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { listOwnMessages, listOwnQuestions } from '../questions/export-queries.ts'
import { getSavedReplies } from '../questions/saved-reply-queries.ts'
import { withCode } from '../storage/pack-queries.ts'
import {
  beginExport,
  listOwnSubmissions,
  readExport,
  readHints,
  readHomeworkSettings,
  readNotices,
  readShownMarks,
} from './export-queries.ts'

/**
 * Answers the envelope around `{account, teaches, memberships, …, submissions}`. Code is text, or base64
 * where it is not UTF-8.
 */
export async function sendExport(c: Context<UserEnv>): Promise<Response> {
  const { db, user } = c.var
  demandTokens([await beginExport(db, changeOf(c))])
  const person = await readExport(db, user)
  const { replies } = await getSavedReplies(db, user.id)
  const data = {
    ...person,
    ...(await readHomeworkSettings(db, user.id, nowSeconds())),
    ...(await readShownMarks(db, user.id, nowSeconds())),
    ...(await readNotices(db, user.id)),
    ...(await readHints(db, user.id)),
    savedReplies: replies,
  }
  c.header('Content-Type', 'application/json')
  c.header('Cache-Control', 'no-store')
  c.header('Content-Disposition', 'attachment; filename="my-data.json"')
  const head = JSON.stringify({ status: 'ok', message: 'OK', data })
  return c.body(streamOf(encoded(textsOf(c.env.BUCKET, db, user.id, head))))
}

/** The document in pieces, read as fast as the client takes them and no further once the client is gone. */
async function* textsOf(
  bucket: R2Bucket,
  db: Db,
  userId: number,
  head: string,
): AsyncGenerator<string> {
  yield head.slice(0, -'}}'.length)
  yield* listText('questions', 'questionId', (after) => listOwnQuestions(db, userId, after))
  yield* listText('questionMessages', 'messageId', (after) => listOwnMessages(db, userId, after))
  yield* listText('submissions', 'submissionId', async (after) => {
    const page = await listOwnSubmissions(db, userId, after)
    const rows = await withCode(bucket, db, page, ({ submissionId }) => submissionId)
    return rows.map((row) => ({ ...row, ...codeOf(row.code) }))
  })
  yield '}}'
}

/** A list in the document, read page by page until a page is empty. @param idOf the field after which the next page begins */
async function* listText<Row extends Record<Id, string>, Id extends string>(
  name: string,
  idOf: Id,
  pageAfter: (id: string) => Promise<Row[]>,
): AsyncGenerator<string> {
  yield `,"${name}":[`
  let after: string | undefined = ''
  while (after !== undefined) {
    const page: Row[] = await pageAfter(after)
    if (page.length > 0)
      yield (after === '' ? '' : ',') + page.map((row) => JSON.stringify(row)).join(',')
    after = page.at(-1)?.[idOf]
  }
  yield ']'
}

async function* encoded(texts: AsyncGenerator<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text)
}

/** Source code in JSON. */
function codeOf(bytes: Uint8Array | null): { code: string | null; codeBase64?: string } {
  if (bytes === null) return { code: null }
  try {
    return { code: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch {
    return { code: null, codeBase64: Buffer.from(bytes).toString('base64') }
  }
}
