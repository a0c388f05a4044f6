/** The platform that a package is for, read from its name, as in `binding-linux-x64-musl`. */

const SYSTEMS: Record<string, string> = {
  aix: 'aix',
  android: 'android',
  darwin: 'darwin',
  freebsd: 'freebsd',
  linux: 'linux',
  netbsd: 'netbsd',
  openbsd: 'openbsd',
  openharmony: 'openharmony',
  sunos: 'sunos',
  win32: 'win32',
  windows: 'win32',
}

const PROCESSORS: Record<string, string> = {
  '64': 'x64',
  arm: 'arm',
  arm64: 'arm64',
  ia32: 'ia32',
  loong64: 'loong64',
  mips64el: 'mips64el',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  x64: 'x64',
}

const LIBRARIES: Record<string, string> = {
  gnu: 'glibc',
  gnueabihf: 'glibc',
  musl: 'musl',
  musleabihf: 'musl',
}

interface Platform {
  os: string[]
  cpu: string[]
  libc?: string[]
}

/** @returns null when the name does not hold both a system and a processor */
export function platformOf(packageName: string): Platform | null {
  const words = packageName.split(/[-/]/)
  const os = words.map((word) => SYSTEMS[word]).find((found) => found !== undefined)
  const cpu = words.map((word) => PROCESSORS[word]).find((found) => found !== undefined)
  const libc = words.map((word) => LIBRARIES[word]).find((found) => found !== undefined)
  if (os === undefined || cpu === undefined) return null
  return { os: [os], cpu: [cpu], ...(libc !== undefined && { libc: [libc] }) }
}
