/** A packed runner as a host gets it: fetched from the server, checked, and unpacked into an empty folder. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../scripts/root.ts'
import { afterThisFile } from './clean-up.ts'

/** Fetches a file below `/runner/` of a server. */
async function fetchFile(server: string, name: string): Promise<Buffer> {
  const answer = await fetch(`${server}/runner/${name}`)
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`)
  return Buffer.from(await answer.arrayBuffer())
}

/** @returns a folder with `runner.mjs`, removed after the file's last test */
export async function unpackRunner(server: string): Promise<string> {
  // Not below /tmp, because boxes do not see the precompiled header there.
  mkdirSync(join(ROOT, 'build'), { recursive: true })
  const folder = mkdtempSync(join(ROOT, 'build/pack-'))
  afterThisFile(async () => rmSync(folder, { recursive: true, force: true }))
  const sums = await fetchFile(server, 'SHA256SUMS')
  const name = /\S+\.tar\.gz$/m.exec(sums.toString())?.[0] ?? ''
  writeFileSync(join(folder, 'SHA256SUMS'), sums)
  writeFileSync(join(folder, name), await fetchFile(server, name))
  const options = { cwd: folder, encoding: 'utf8' } as const
  execFileSync('sha256sum', ['--check', '--ignore-missing', 'SHA256SUMS'], options)
  execFileSync('tar', ['-xzf', name], options)
  return folder
}
