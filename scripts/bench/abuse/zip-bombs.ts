/** Zips that inflate to more than they say, beside somebody who hands in an honest one. */
import { randomBytes } from 'node:crypto'
import { constants, deflateRawSync } from 'node:zlib'
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js'
import * as z from 'zod'
import { SOURCE_LIMIT_BYTES } from '#contract/limits'
import type { Installation } from '../installation.ts'
import type { Report } from '../report.ts'
import { send } from '../send.ts'
import type { BenchStack } from '../stack.ts'
import { reportBeside } from './beside.ts'

const BOMBS = 4
/** Blocks of a million zeros, about a kilobyte each: the largest zip that is read. */
const BLOCKS = 78

const created = z.object({ data: z.object({ submissionId: z.string() }) })

/** A zip with one `main.c` that is already packed; by its directory it holds as much as a source may. */
async function bomb(): Promise<Uint8Array<ArrayBuffer>> {
  const block = deflateRawSync(Buffer.alloc(1_000_000), { finishFlush: constants.Z_FULL_FLUSH })
  const packed = Buffer.concat([...Array.from({ length: BLOCKS }, () => block), deflateRawSync('')])
  const writer = new ZipWriter(new Uint8ArrayWriter(), {
    useWebWorkers: false,
    dataDescriptor: false,
    extendedTimestamp: false,
  })
  await writer.add('main.c', new Uint8ArrayReader(packed), {
    passThrough: true,
    compressionMethod: 8,
    uncompressedSize: SOURCE_LIMIT_BYTES,
    crc32: 0,
  })
  return new Uint8Array(await writer.close())
}

/** A zip with one program that does not pack well, short enough for hundreds of it on one day's budget. */
async function honestZip(): Promise<Uint8Array<ArrayBuffer>> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false })
  await writer.add(
    'main.c',
    new Uint8ArrayReader(Buffer.from(randomBytes(SOURCE_LIMIT_BYTES / 8).toString('hex'))),
  )
  return new Uint8Array(await writer.close())
}

/** Announces a submission whose code comes in a file. */
async function announce(stack: BenchStack, cookie: string, problemId: number): Promise<string> {
  const json = { problemId, languageType: 0 }
  const answer = await send(stack, { path: '/api/submission', method: 'POST', cookie, json })
  return `/api/submission/${created.parse(await answer.json()).data.submissionId}`
}

/** The file in a form, as a browser sends it. */
async function formOf(zip: Uint8Array<ArrayBuffer>) {
  const form = new FormData()
  form.set('code', new File([zip], 'main.zip'))
  const request = new Request('http://judge.test', { method: 'POST', body: form })
  const type = request.headers.get('Content-Type') ?? ''
  return { body: new Uint8Array(await request.arrayBuffer()), headers: { 'Content-Type': type } }
}

/** Measures handing in a zip beside bombs. */
export async function zipBombs(
  stack: BenchStack,
  installation: Installation,
  report: Report,
): Promise<void> {
  const [attacker, honest] = [installation.student, installation.classmate]
  const [problemId = 1] = installation.ordinaryProblemIds
  const path = await announce(stack, attacker, problemId)
  const [bombForm, honestForm] = [await formOf(await bomb()), await formOf(await honestZip())]
  await reportBeside(stack, report, {
    what: 'a zip handed in beside four bombs of 78 MB in 78 KB',
    honest: async () => {
      const own = await announce(stack, honest, problemId)
      await send(stack, { path: own, method: 'PUT', cookie: honest, ...honestForm })
    },
    burst: async () => {
      for (let sent = 0; sent < BOMBS; sent += 1)
        await send(stack, { path, method: 'PUT', cookie: attacker, ...bombForm }, [400])
    },
  })
}
