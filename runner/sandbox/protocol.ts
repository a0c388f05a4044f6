/**
 * The binary protocol between runner and helper: `native/protocol.h` in TypeScript. Little-endian, no padding.
 * Change both together with `VERSION`.
 */
import type { ClosedFirst, FiredLimit, Limits, TalkPart } from './box.ts'

const MAGIC = 0x31584254
const VERSION = 5
const NAME_BYTES = 64
const REQUEST_BYTES = 240
export const REPLY_BYTES = 88

export const REQUEST_KIND = {
  openBox: 1,
  compile: 2,
  run: 3,
  closeBox: 4,
  attach: 5,
  peerEnded: 6,
  stop: 7,
} as const
const FIRED: readonly (FiredLimit | null)[] = [null, 'output', 'memory', 'cpu', 'wall']
/** The value of the limit's field when the program was stopped on request. */
const STOPPED = 5
const PARTS: readonly (TalkPart | undefined)[] = [undefined, 'relays', 'waits']
const CLOSED_FIRST: readonly (ClosedFirst | null)[] = [null, 'program', 'peer']
const ARTEFACT = ['none', 'kept', 'missing', 'unfit'] as const
/** The state of a compile step's artefact. */
type ArtefactState = (typeof ARTEFACT)[number]

/** Length of `fileFds`: input, output and answer. */
const MAX_FILES = 3

/** Files and directories that a program may make in its working directory. */
const WORK_DIR_INODES = 1024

/** One request. Kinds that run no program need only `kind`; attach also needs its descriptors. */
export interface HelperRequest {
  kind: number
  argv?: readonly string[]
  /** Compile: host paths that its program will see. */
  runtime?: readonly string[]
  limits?: Limits
  inputFd?: number
  outputFd?: number
  source?: Uint8Array
  sourceName?: string
  artefact?: string
  artefactBytes?: number
  /** Run: descriptors of the files to place, by position; -1: none. Attach: account and peer's log. */
  fileFds?: readonly number[]
  /** The part in a conversation. An attach request and the run after it name the same part. */
  attached?: TalkPart
  /** Run: whether it sees what a compile step sees. */
  seesCompiler?: boolean
}

/** One reply. When `failed`, the reason is text in `tail`. */
export interface HelperReply {
  failed: boolean
  fired: FiredLimit | null
  stopped: boolean
  artefact: ArtefactState
  exitCode: number | null
  signal: number | null
  cpuUs: number
  wallUs: number
  memoryBytes: number
  outputBytes: number
  stderrBytes: number
  oomKills: number
  closedFirst: ClosedFirst | null
  waitedMs: number
  tail: Buffer
}

/** Writes a file name. The helper checks its characters. */
function writeName(bytes: Buffer, name: string, at: number) {
  const encoded = Buffer.from(name)
  if (encoded.length >= NAME_BYTES) throw new RangeError(`file name too long: ${name}`)
  encoded.copy(bytes, at)
}

/** @throws RangeError for a value that does not fit its field; the helper checks the rest */
export function encodeRequest(request: HelperRequest): Buffer {
  const runtime = request.runtime ?? []
  const strings = [...(request.argv ?? []), ...runtime]
  const argv = Buffer.concat(strings.map((one) => Buffer.from(`${one}\0`)))
  if (strings.some((one) => one.includes('\0'))) throw new RangeError('NUL in argv')
  const source = request.source ?? new Uint8Array()
  const bytes = Buffer.alloc(REQUEST_BYTES)
  const u64 = (value: number, at: number) =>
    bytes.writeBigUInt64LE(BigInt(Math.max(0, Math.round(value))), at)
  bytes.writeUInt32LE(MAGIC, 0)
  bytes.writeUInt32LE(VERSION, 4)
  bytes.writeUInt32LE(request.kind, 8)
  bytes.writeUInt32LE(request.argv?.length ?? 0, 12)
  if (request.limits) {
    u64(request.limits.cpuMs * 1000, 16)
    u64(request.limits.wallMs * 1000, 24)
    u64(request.limits.memoryKb * 1024, 32)
    u64(request.limits.outputBytes, 40)
    u64(request.limits.workDirBytes, 48)
    bytes.writeUInt32LE(request.limits.pids, 56)
    bytes.writeUInt32LE(WORK_DIR_INODES, 60)
  }
  bytes.writeInt32LE(request.inputFd ?? -1, 64)
  bytes.writeInt32LE(request.outputFd ?? -1, 68)
  bytes.writeUInt32LE(argv.length, 72)
  bytes.writeUInt32LE(source.length, 76)
  u64(request.artefactBytes ?? 0, 80)
  writeName(bytes, request.sourceName ?? '', 88)
  writeName(bytes, request.artefact ?? '', 88 + NAME_BYTES)
  for (let i = 0; i < MAX_FILES; i++)
    bytes.writeInt32LE(request.fileFds?.[i] ?? -1, 88 + 2 * NAME_BYTES + 4 * i)
  const after = 88 + 2 * NAME_BYTES + 4 * MAX_FILES
  bytes.writeUInt32LE(PARTS.indexOf(request.attached), after)
  bytes.writeUInt32LE(request.seesCompiler ? 1 : 0, after + 4)
  bytes.writeUInt32LE(runtime.length, after + 8)
  return Buffer.concat([bytes, argv, source])
}

/** The length of the tail that follows a reply. @throws Error when the bytes are no reply */
export function replyTailBytes(header: Buffer): number {
  if (header.readUInt32LE(0) !== MAGIC || header.readUInt32LE(4) !== VERSION)
    throw new Error('the helper speaks another protocol')
  return header.readUInt32LE(76)
}

/** Decodes a whole reply: header and tail. */
export function decodeReply(bytes: Buffer): HelperReply {
  const u64 = (at: number) => Number(bytes.readBigUInt64LE(at))
  const exitCode = bytes.readInt32LE(24)
  const signal = bytes.readInt32LE(28)
  return {
    failed: bytes.readUInt32LE(12) !== 0,
    fired: FIRED[bytes.readUInt32LE(16)] ?? null,
    stopped: bytes.readUInt32LE(16) === STOPPED,
    artefact: ARTEFACT[bytes.readUInt32LE(20)] ?? 'none',
    exitCode: signal === 0 ? exitCode : null,
    signal: signal === 0 ? null : signal,
    cpuUs: u64(32),
    wallUs: u64(40),
    memoryBytes: u64(48),
    outputBytes: u64(56),
    stderrBytes: u64(64),
    oomKills: bytes.readUInt32LE(72),
    closedFirst: CLOSED_FIRST[bytes.readUInt32LE(80)] ?? null,
    waitedMs: bytes.readUInt32LE(84),
    tail: bytes.subarray(REPLY_BYTES),
  }
}
