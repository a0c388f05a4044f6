/**
 * Checks whether this machine can judge, and says how to fix what is missing. A runner never judges with weaker limits.
 * `npx -c 'node runner/host/check-host.ts'` prints the report.
 */
import { access, constants, readFile } from 'node:fs/promises'
import { availableParallelism, cpus, hostname, release, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import type * as z from 'zod'
import type { hostInfo } from '#contract/judging'
import { LANGUAGE_PACKAGES, languageOfId, LANGUAGES } from '#contract/languages'
import { runtimeOf } from '../compile/runtime.ts'
import { type CgroupDirs, directoriesOf, findCgroup } from '../sandbox/cgroup.ts'
import { openSlot } from '../sandbox/slot.ts'
import type { Limits } from '../sandbox/box.ts'
import { lockSlots } from './slot-lock.ts'
import { openUnnamedFile } from '../lib/unnamed-file.ts'

type HostInfo = z.infer<typeof hostInfo>

interface HostProblem {
  what: string
  fix: string
}

interface HostReport {
  ok: boolean
  cgroup: 'v1' | 'v2'
  problems: HostProblem[]
  hostInfo: HostInfo
}

const FIX = {
  tools: `apt-get install -y --no-install-recommends ${LANGUAGE_PACKAGES.join(' ')}`,
  cgroup:
    'as a systemd service: Delegate=yes in its unit; by hand: systemd-run --user --scope -p Delegate=yes <command>; ' +
    'in a container: --cgroupns private with a writable /sys/fs/cgroup (podman: --security-opt unmask=/sys/fs/cgroup)',
  kernel: 'use Linux 5.19 or newer (Debian 12, Ubuntu 24.04)',
  swap: 'turn swap off (swapoff -a), or boot with swapaccount=1 so that it can be limited',
  userns:
    'sysctl -w user.max_user_namespaces=15000; Debian: kernel.unprivileged_userns_clone=1; ' +
    'Ubuntu: kernel.apparmor_restrict_unprivileged_userns=0; Docker: a seccomp profile that allows them',
  root: 'run as an ordinary user, or keep CAP_SETUID, CAP_SETGID and CAP_CHOWN',
} as const

const TOOLS = LANGUAGES.map(({ versionArgv }) => versionArgv[0])

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

async function writable(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  )
}

/** Reads a number from a kernel file; null when the file does not exist. */
async function readNumber(path: string): Promise<number | null> {
  return readFile(path, 'utf8').then(Number, () => null)
}

/** Whether a kernel release, as uname(2) gives it, is at least this version. */
export function kernelAtLeast(release: string, major: number, minor: number): boolean {
  const [first = 0, second = 0] = release.split(/[.-]/).map(Number)
  return first > major || (first === major && second >= minor)
}

async function toolProblems(): Promise<HostProblem[]> {
  const found = await Promise.all(TOOLS.map(exists))
  const missing = TOOLS.filter((_, i) => !found[i])
  if (missing.length === 0) return []
  return [{ what: `not installed: ${missing.join(', ')}`, fix: FIX.tools }]
}

async function userNamespaceProblems(): Promise<HostProblem[]> {
  const most = await readNumber('/proc/sys/user/max_user_namespaces')
  if (most === null) return [{ what: 'the kernel has no user namespaces', fix: FIX.kernel }]
  const privileged = process.getuid?.() === 0
  const allowed = await readNumber('/proc/sys/kernel/unprivileged_userns_clone')
  if (most > 0 && (allowed !== 0 || privileged)) return []
  return [{ what: 'user namespaces are turned off', fix: FIX.userns }]
}

async function cgroupProblems(cgroup: CgroupDirs): Promise<HostProblem[]> {
  const problems: HostProblem[] = []
  for (const dir of directoriesOf(cgroup)) {
    if (!(await writable(dir)) || !(await writable(join(dir, 'cgroup.procs'))))
      problems.push({ what: `no control groups can be made in ${dir}`, fix: FIX.cgroup })
  }
  if (cgroup.version === 'v2') {
    const given = await readFile(join(cgroup.dir, 'cgroup.controllers'), 'utf8').catch(() => '')
    const missing = ['memory', 'pids'].filter((name) => !given.split(/\s+/).includes(name))
    if (missing.length > 0)
      problems.push({
        what: `the cgroup ${cgroup.dir} is not given: ${missing.join(', ')}`,
        fix: FIX.cgroup,
      })
  }
  return problems
}

/** mount_setattr needs Linux 5.12 everywhere; on v2 cgroup.kill needs Linux 5.14 and memory.peak needs 5.19. */
function kernelProblems(version: 'v1' | 'v2'): HostProblem[] {
  const fits = version === 'v2' ? kernelAtLeast(release(), 5, 19) : kernelAtLeast(release(), 5, 12)
  return fits ? [] : [{ what: `Linux ${release()} is too old`, fix: FIX.kernel }]
}

const TRIAL_LIMITS: Limits = {
  cpuMs: 10_000,
  wallMs: 20_000,
  memoryKb: 512 * 1024,
  outputBytes: 65_536,
  pids: 16,
  workDirBytes: 16 * 1024 * 1024,
}

/** Compiles and runs a program, which finds problems that no check of single files finds. */
async function trialProblems(slotIndex: number): Promise<HostProblem[]> {
  const output = await openUnnamedFile(tmpdir())
  try {
    const slot = await openSlot({ index: slotIndex })
    try {
      const box = await slot.openBox()
      const compiled = await box.compile({
        source: Buffer.from('#include <stdio.h>\nint main(void) { return puts("ready") < 0; }\n'),
        sourceName: 'main.c',
        argv: ['/usr/bin/gcc', '-o', 'main', 'main.c'],
        artefact: 'main',
        artefactBytes: 16 * 1024 * 1024,
        runtime: await runtimeOf(languageOfId('c')),
        limits: TRIAL_LIMITS,
      })
      const message = Buffer.from(compiled.message).toString().trim()
      if (!compiled.ok)
        return [{ what: `a trial program does not compile: ${message}`, fix: FIX.tools }]
      const result = await box.run({
        argv: ['/box/main'],
        input: null,
        output,
        limits: TRIAL_LIMITS,
      })
      if (result.exitCode === 0 && result.outputBytes === 6 && result.memoryKb > 0) return []
      return [{ what: `a trial program ended oddly: ${JSON.stringify(result)}`, fix: FIX.kernel }]
    } finally {
      await slot.close()
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [{ what: `a trial run fails: ${reason}`, fix: fixFor(reason) }]
  } finally {
    await output.close()
  }
}

/** The likeliest fix for an error of the helper. */
function fixFor(reason: string): string {
  if (reason.includes('CAP_SETUID')) return FIX.root
  if (reason.includes('swap')) return FIX.swap
  if (reason.includes('cgroup')) return FIX.cgroup
  if (/namespace|uid_map|setgroups|mount|ended at once/.test(reason)) return FIX.userns
  return FIX.kernel
}

async function describeHost(cgroup: 'v1' | 'v2'): Promise<HostInfo> {
  return {
    hostname: hostname().slice(0, 255),
    kernel: release().slice(0, 255),
    cpu: (cpus()[0]?.model ?? 'unknown').slice(0, 255),
    cores: availableParallelism(),
    memoryKb: Math.floor(totalmem() / 1024),
    cgroup,
  }
}

/**
 * Checks everything that a box needs, then tries one. It throws nothing when the host lacks a part: the report names the part.
 * @param slotIndex a slot that no other runner of this machine uses
 */
export async function checkHost(slotIndex = 0): Promise<HostReport> {
  const cgroup = await findCgroup().catch(() => null)
  const problems = cgroup
    ? [
        ...kernelProblems(cgroup.version),
        ...(await toolProblems()),
        ...(await cgroupProblems(cgroup)),
        ...(await userNamespaceProblems()),
      ]
    : [{ what: 'no control groups for memory, cpu and pids are mounted', fix: FIX.cgroup }]
  if (problems.length === 0) problems.push(...(await trialProblems(slotIndex)))
  const version = cgroup?.version ?? 'v2'
  const hostInfo = await describeHost(version)
  return { ok: problems.length === 0, cgroup: version, problems, hostInfo }
}

/** One line for each problem. A fix that several problems share comes once, below them. */
export function problemLines(problems: readonly HostProblem[]): string[] {
  return [...Map.groupBy(problems, ({ fix }) => fix)].flatMap(([fix, mended]) => [
    ...mended.map(({ what }) => `- ${what}`),
    `  fix: ${fix}`,
  ])
}

/** Checks this machine and prints the report. The process will exit with 1 if the machine cannot judge. */
export async function printReport(): Promise<void> {
  // A runner may be at work, so this check uses none of its slots.
  const report = await checkHost(await lockSlots(null, 1))
  const { hostInfo } = report
  console.log(
    `${hostInfo.hostname}: Linux ${hostInfo.kernel}, cgroup ${report.cgroup}, ${hostInfo.cores} cores`,
  )
  for (const line of problemLines(report.problems)) console.log(line)
  console.log(report.ok ? 'This host can judge.' : 'This host cannot judge yet.')
  process.exitCode = report.ok ? 0 : 1
}

if (import.meta.main) await printReport()
