/** What turns a rented machine into a judge host: one line, or a cloud-init file. `runner/install/install.sh` does the work. */

/** SHA-256 in hex of what the build of the web app publishes for hosts; undefined where it was not built. */
export interface PublishedSums {
  /** Of the packed runner. */
  pack: string | undefined
  /** Of the install script. */
  install: string | undefined
}

/** Reads `/runner/SHA256SUMS`. Any other text, such as the app's page in its place, names no sums. */
export function readSums(text: string): PublishedSums {
  const sumOf = (name: string) => new RegExp(`^([\\da-f]{64})  ${name}$`, 'm').exec(text)?.[1]
  return {
    pack: sumOf('coursejudge-runner-[\\da-f]+\\.tar\\.gz'),
    install: sumOf('install\\.sh'),
  }
}

/** The settings of a host that differ from server to server. */
export interface HostSetup {
  /** The address of the server, e.g. `https://judge.example.org`. */
  server: string
  /** The variable of its one secret: a token of its own, or the one by which hosts register themselves. */
  secretName: 'RUNNER_TOKEN' | 'RUNNER_REGISTRATION_TOKEN'
  secret: string
  /** SHA-256 of the install script, hex. */
  installSha256: string
}

function settingsOf({ server, secretName, secret }: HostSetup): string[] {
  return [`SERVER_URL=${server}`, `${secretName}=${secret}`]
}

/** Fetches the script and checks it, so that no other one is ever run. */
function fetchScript({ server, installSha256 }: HostSetup): string {
  return `curl -fsS ${server}/runner/install.sh -o install.sh && echo '${installSha256}  install.sh' | sha256sum -c -`
}

/** The line for the shell of root on a fresh machine, which may lack sudo. The secret goes by a pipe, where no other user sees it. */
export function installLine(setup: HostSetup): string {
  const settings = settingsOf(setup).map((line) => `'${line}'`)
  return `${fetchScript(setup)} && printf '%s\\n' ${settings.join(' ')} | sh install.sh`
}

/** The user data of a rented machine, which sets itself up at its first boot. */
export function cloudConfig(setup: HostSetup): string {
  return [
    '#cloud-config',
    'package_update: true',
    'packages: [ca-certificates, curl]',
    'write_files:',
    '  - path: /etc/coursejudge/runner.env',
    "    permissions: '0600'",
    '    content: |',
    ...settingsOf(setup).map((line) => `      ${line}`),
    'runcmd:',
    '  - |',
    `    cd /root && ${fetchScript(setup)} && sh install.sh < /dev/null`,
    '',
  ].join('\n')
}
