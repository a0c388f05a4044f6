/** Downloads of test-data zips. */
import type { Env } from '../../env.ts'
import { AppError } from '../../http/errors.ts'

/** The zip as a download, which browsers never render. */
export function zipResponse(object: R2ObjectBody, fileName: string): Response {
  return new Response(object.body, {
    headers: {
      'Content-Type': 'application/zip',
      'Content-Length': String(object.size),
      'Content-Disposition': `attachment; filename="${fileName}"`,
      'Cache-Control': 'no-store',
      ETag: object.httpEtag,
    },
  })
}

/** The R2 object of a version. @throws AppError when the bucket has lost it */
export async function requireObject(env: Env, key: string): Promise<R2ObjectBody> {
  const object = await env.BUCKET.get(key)
  if (!object) throw new AppError('object_lost')
  return object
}
