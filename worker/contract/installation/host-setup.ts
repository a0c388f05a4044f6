/** Texts that turn a rented machine into a judge host: a shell line or a cloud-init file. They run `runner/install/install.sh`. */

/** SHA-256 in hex of the files that the web app's build publishes for hosts; undefined where they were not built. */
export interface PublishedSums {
  /** The packed runner. */
  pack: string | undefined
  /** The install script. */
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
  /** The variable of the host's one secret: its own token, or the shared token with which hosts register. */
  secretName: 'RUNNER_TOKEN' | 'RUNNER_REGISTRATION_TOKEN'
  secret: string
  /** SHA-256 of the install script, hex. */
  installSha256: string
}

function settingsOf({ server, secretName, secret }: HostSetup): string[] {
  return [`SERVER_URL=${server}`, `${secretName}=${secret}`]
}

/** Shell code that fetches the install script and checks its sum, so that no other script runs. */
function fetchScript({ server, installSha256 }: HostSetup): string {
  return `curl -fsS ${server}/runner/install.sh -o install.sh && echo '${installSha256}  install.sh' | sha256sum -c -`
}

/** The line for root's shell on a fresh machine, which may lack sudo. The secret goes through a pipe, where no other user sees it. */
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
