/** `node scripts/deploy/example.ts` writes `deploy.env.example` from the table of settings. A test compares them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SETTINGS, type Setting } from '#contract/installation/settings'
import { ROOT } from '../root.ts'

const WIDTH = 96

/** A text as lines of comment. */
function commentOf(text: string): string {
  return text.replace(new RegExp(`(?=.)(.{1,${WIDTH}})(?: |$)`, 'g'), '# $1\n').trimEnd()
}

/** The whole file: needed settings are empty, all others are comments. */
export function exampleFile(): string {
  const head = commentOf(
    'The settings of an installation: copy this file to deploy.env (deploy.staging.env for “--env staging”), fill it in and run “npm run deploy”. docs/deploying.md explains the steps. Git ignores the copy; it holds secrets.',
  )
  const settings = Object.entries<Setting>(SETTINGS).map(([name, setting]) => {
    const { about, otherwise, mailDrivers, example } = setting
    const needs = mailDrivers && ` Needed with MAIL_DRIVER=${mailDrivers.join(' and ')}.`
    const without = otherwise ? `${needs ?? ''} Without it: ${otherwise}.` : ' Needed.'
    return `${commentOf(`${about}${without}`)}\n${otherwise ? `# ${name}=${example}` : `${name}=`}`
  })
  return `${[head, ...settings].join('\n\n')}\n`
}

if (import.meta.main) writeFileSync(join(ROOT, 'deploy.env.example'), exampleFile())
