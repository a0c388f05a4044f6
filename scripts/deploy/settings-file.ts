/** `deploy.env`: the settings of an installation, one `NAME=value` a line, beside the code and ignored by git. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { SETTINGS, settingFaults, type SettingName } from '#contract/installation/settings'
import { PlainError } from '../plain-error.ts'

/** The settings in the file; an empty setting is missing. */
export type Settings = Partial<Record<SettingName, string>>

/** Settings that may also come from the environment, under the names that wrangler uses. */
const OF_ENVIRONMENT = ['CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_ACCOUNT_ID'] as const

function isSetting(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name)
}

/** The settings of a text and the line of each; any other line is a fault. */
function parseLines(text: string, file: string) {
  const settings: Settings = {}
  const lines = new Map<string, number>()
  const faults: string[] = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue
    const [, name = '', value = ''] = /^\s*([^=\s]+)\s*=(.*)$/.exec(line) ?? []
    const at = `${file}:${index + 1}`
    if (name === '') faults.push(`${at}: write NAME=value, or # before a comment.`)
    else if (!isSetting(name))
      faults.push(`${at}: there is no setting ${name}; deploy.env.example lists all.`)
    else if (lines.has(name))
      faults.push(`${at}: ${name} stands in line ${lines.get(name)} already; keep one.`)
    else {
      settings[name] = value.trim().replace(/^(["'])(.*)\1$/, '$2')
      lines.set(name, index + 1)
    }
  }
  return { settings, lines, faults }
}

/**
 * Reads a settings file. Token and account may also come from the environment, which takes precedence.
 * @throws PlainError that names every fault with its line and its fix
 */
export function readSettings(
  path: string,
  file: string,
  environment: NodeJS.ProcessEnv = process.env,
): Settings {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const { settings, lines, faults } = parseLines(text, file)
  for (const name of OF_ENVIRONMENT) if (environment[name]) settings[name] = environment[name]
  for (const { name, fault, fix } of settingFaults(settings)) {
    const line = lines.get(name)
    faults.push(`${file}${line === undefined ? '' : `:${line}`}: ${name} is ${fault}. ${fix}`)
  }
  if (settings.MAIL_DRIVER === 'log')
    faults.push(
      `${file}:${lines.get('MAIL_DRIVER')}: MAIL_DRIVER=log stores links in the database and is for a local stack. ${SETTINGS.MAIL_DRIVER.fix}`,
    )
  if (faults.length === 0) return settings
  const hint = existsSync(path) ? '' : `\nBegin with: cp deploy.env.example ${file}`
  throw new PlainError(`the settings do not work; nothing was sent.\n${faults.join('\n')}${hint}`)
}

/** Writes a setting that was empty or missing, and lets only the owner read the file. */
export function addSetting(path: string, name: SettingName, value: string): void {
  const before = existsSync(path) ? readFileSync(path, 'utf8').replace(/\n?$/, '\n') : ''
  const empty = new RegExp(`^${name}=\\s*$`, 'm')
  const line = `${name}=${value}`
  // The replacement is a function, because a value may contain `$`.
  writeFileSync(path, empty.test(before) ? before.replace(empty, () => line) : `${before}${line}\n`)
  chmodSync(path, 0o600)
}
