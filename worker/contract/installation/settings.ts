/**
 * Every setting of an installation. Deploy reads the settings from `deploy.env`; some of them are variables and secrets of the
 * Worker. Deploy and Worker name the same fix for a setting that is missing or wrong.
 */
import * as z from 'zod'
import { email, username } from '#contract/fields'

/** One setting. */
export interface Setting {
  /** What the setting is for: a sentence. */
  about: string
  /** Who reads the setting: the Worker, as a variable or as a secret, or only the deploy. */
  kind: 'variable' | 'secret' | 'deploy'
  form: z.ZodType<string>
  /** A value that has this form. */
  example: string
  /** What applies without the setting: a phrase. Absent where the setting is required. */
  otherwise?: string
  /** The mail drivers that need the setting. */
  mailDrivers?: readonly string[]
  /** What to do when the setting is missing or wrong: an imperative. */
  fix: string
}

const hostName = z.string().regex(/^(?=.{4,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63}$/)

/** An origin as browsers send it: lower case, no path, no slash at the end. */
const origin = z.string().regex(/^https?:\/\/([a-z\d.-]+|\[[\da-f:]+\])(:\d{1,5})?$/)

/** An https URL with a public host name: Workers reach no others, and no host of a private network may be called. */
const publicUrl = z
  .string()
  .regex(
    /^https:\/\/([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+(?!(local|localhost|internal)\b)[a-z]{2,63}(:\d{1,5})?([/?#][!-~]*)?$/i,
  )

/** Printable ASCII without blanks, so that it fits into a header. */
const secretText = z.string().regex(/^[!-~]+$/)

/** All settings, in the order of `deploy.env.example`. */
export const SETTINGS = {
  CLOUDFLARE_API_TOKEN: {
    about: 'The API token that deploys. It may be an environment variable instead.',
    kind: 'deploy',
    form: secretText,
    example: 'v1.0-0123456789abcdef',
    fix: 'Make an API token at dash.cloudflare.com/profile/api-tokens and set CLOUDFLARE_API_TOKEN to it.',
  },
  CLOUDFLARE_ACCOUNT_ID: {
    about: 'The account to deploy to. It may be an environment variable instead.',
    kind: 'deploy',
    form: z.string().regex(/^[\da-f]{32}$/),
    example: '0123456789abcdef0123456789abcdef',
    otherwise: 'the only account that the token reaches',
    fix: 'Set CLOUDFLARE_ACCOUNT_ID to the account’s 32 hex digits, which its overview page shows.',
  },
  ADMIN_USERNAME: {
    about: 'The first admin’s username.',
    kind: 'deploy',
    form: username,
    example: 'admin',
    fix: 'Set ADMIN_USERNAME to 1–16 of letters, digits, _ and -.',
  },
  ADMIN_EMAIL: {
    about: 'The first admin’s e-mail address.',
    kind: 'deploy',
    form: email,
    example: 'me@example.org',
    fix: 'Set ADMIN_EMAIL to the first admin’s e-mail address, like me@example.org.',
  },
  DOMAIN: {
    about: 'The host name of the judge, in a zone of the account. The deploy makes its DNS record.',
    kind: 'deploy',
    form: hostName,
    example: 'judge.example.org',
    otherwise: 'an address below workers.dev',
    fix: 'Set DOMAIN to a host name without https:// and path, like judge.example.org.',
  },
  JURISDICTION: {
    about:
      'Where Cloudflare keeps the database, the bucket and the live channels: eu is the European Union. It holds from the first deploy on and cannot be changed.',
    kind: 'variable',
    form: z.enum(['eu']),
    example: 'eu',
    otherwise: 'where Cloudflare chooses',
    fix: 'Set JURISDICTION to eu, or remove it; the first deploy decides.',
  },
  WEB_ORIGIN: {
    about:
      'The origin of the web app. Links in mails lead there. If the API has another host, only this origin may call it with credentials.',
    kind: 'variable',
    form: origin,
    example: 'https://judge.example.org',
    otherwise: 'the address that the judge is deployed to',
    fix: 'Set WEB_ORIGIN to the origin of the web app, like https://judge.example.org, without a slash at the end.',
  },
  MAIL_DRIVER: {
    about:
      'How mail is sent: cloudflare (Email Service) or http (a JSON mail API). A local stack has log, which stores mails with their links in the database.',
    kind: 'variable',
    form: z.enum(['cloudflare', 'http', 'log']),
    example: 'cloudflare',
    otherwise: 'no mail; an admin hands out activation links',
    fix: 'Set MAIL_DRIVER to cloudflare or http.',
  },
  MAIL_FROM: {
    about: 'The sender of all mail.',
    kind: 'variable',
    form: email,
    example: 'judge@example.org',
    otherwise: 'no mail',
    mailDrivers: ['cloudflare', 'http'],
    fix: 'Set MAIL_FROM to the address that mail comes from, like judge@example.org.',
  },
  MAIL_API_URL: {
    about: 'The URL that takes {from, to, subject, text} as JSON, for MAIL_DRIVER=http.',
    kind: 'variable',
    form: z.url({ protocol: /^https?$/ }),
    example: 'https://api.resend.com/emails',
    otherwise: 'no mail',
    mailDrivers: ['http'],
    fix: 'Set MAIL_API_URL to the URL of your mail API, like https://api.resend.com/emails.',
  },
  MAIL_API_KEY: {
    about: 'Sent there as “Authorization: Bearer …”.',
    kind: 'secret',
    form: secretText,
    example: 're_0123456789',
    otherwise: 'no mail',
    mailDrivers: ['http'],
    fix: 'Set MAIL_API_KEY to the key of your mail API.',
  },
  MAIL_DAILY_LIMIT: {
    about:
      'Mails a day (UTC) that the mail service takes, like 100 of a free account. Once so many mails are sent, mailed links of a batch sign-up wait for the next day; other mails are sent in any case.',
    kind: 'variable',
    form: z.string().regex(/^[1-9]\d{0,5}$/),
    example: '100',
    otherwise: 'no limit but the service’s own',
    fix: 'Set MAIL_DAILY_LIMIT to a whole number from 1 to 999999.',
  },
  RUNNER_REGISTRATION_TOKEN: {
    about: 'The shared secret by which new judge hosts register.',
    kind: 'secret',
    form: secretText.min(16),
    example: 'a-long-random-text',
    otherwise: 'the first deploy makes one and adds it to this file',
    fix: 'Set RUNNER_REGISTRATION_TOKEN to a random text of at least 16 characters without blanks.',
  },
  RUNNER_REGISTRATION_TOKEN_PREVIOUS: {
    about:
      'The RUNNER_REGISTRATION_TOKEN before the present one, while it is rotated. Hosts may register with the old or the new token.',
    kind: 'secret',
    form: secretText.min(16),
    example: 'another-long-random-text',
    otherwise: 'only the present secret counts',
    fix: 'Set RUNNER_REGISTRATION_TOKEN_PREVIOUS to the former RUNNER_REGISTRATION_TOKEN, or remove it.',
  },
  METRICS_TOKEN: {
    about: 'The secret by which a metrics collector reads GET /api/metrics.',
    kind: 'secret',
    form: secretText.min(16),
    example: 'yet-another-long-random-text',
    otherwise: 'no metrics',
    fix: 'Set METRICS_TOKEN to a random text of at least 16 characters without blanks.',
  },
  ALARM_WEBHOOK_URL: {
    about:
      'The URL that gets each alarm as JSON by POST. Such URLs are secret; only public https addresses are taken.',
    kind: 'secret',
    form: publicUrl,
    example: 'https://hooks.example.org/0123456789',
    otherwise: 'alarms go to ALARM_EMAIL alone',
    fix: 'Set ALARM_WEBHOOK_URL to an https URL with a public host name, like https://hooks.example.org/0123456789, without IP address and password.',
  },
  ALARM_EMAIL: {
    about: 'The address that alarms are mailed to. It needs MAIL_DRIVER.',
    kind: 'variable',
    form: email,
    example: 'operator@example.org',
    otherwise: 'alarms go to ALARM_WEBHOOK_URL alone',
    fix: 'Set ALARM_EMAIL to the operator’s e-mail address, like operator@example.org.',
  },
  BACKUP_DAYS: {
    about: 'After so many days without a backup there is an alarm. 0: never.',
    kind: 'variable',
    form: z.string().regex(/^\d{1,3}$/),
    example: '7',
    otherwise: '7',
    fix: 'Set BACKUP_DAYS to a whole number from 0 to 999.',
  },
  SUBMIT_LIMIT_PER_MINUTE: {
    about: 'Submissions per student and minute. 0 turns this limit and the rates of calls off.',
    kind: 'variable',
    form: z.string().regex(/^\d{1,4}$/),
    example: '6',
    otherwise: 'the limit of the product',
    fix: 'Set SUBMIT_LIMIT_PER_MINUTE to a whole number from 0 to 9999.',
  },
  LIVE_UPDATES: {
    about:
      'Whether verdicts are pushed to open pages, and judge hosts are woken. With off, pages and hosts poll.',
    kind: 'variable',
    form: z.enum(['on', 'off']),
    example: 'on',
    otherwise: 'on',
    fix: 'Set LIVE_UPDATES to on or off.',
  },
} as const satisfies Record<string, Setting>

/** The name of a setting. */
export type SettingName = keyof typeof SETTINGS

type WorkerSettingName = {
  [Name in SettingName]: (typeof SETTINGS)[Name]['kind'] extends 'deploy' ? never : Name
}[SettingName]

/** The settings that the Worker gets. All values are texts; a setting that is not set is absent. */
export type WorkerSettings = Partial<Record<WorkerSettingName, string>>

const NAMES = Object.keys(SETTINGS) as SettingName[]

/** A setting that is missing or wrong, and what to do. The data of the refusal `not_configured` is a list of these faults. */
export const settingFault = z.object({
  name: z.enum(NAMES),
  fault: z.enum(['missing', 'wrong']),
  fix: z.string(),
})
export type SettingFault = z.infer<typeof settingFault>

/**
 * The faults of settings, in the order of the table. An empty text counts as missing.
 * @param names which settings to look at; all unless given
 * @param needed settings that are required now, even if they have an `otherwise`
 */
export function settingFaults(
  settings: Readonly<Partial<Record<SettingName, unknown>>>,
  names: readonly SettingName[] = NAMES,
  needed: readonly SettingName[] = [],
): SettingFault[] {
  return names.flatMap((name): SettingFault[] => {
    const { form, otherwise, mailDrivers, fix }: Setting = SETTINGS[name]
    const value = settings[name]
    if (value) return form.safeParse(value).success ? [] : [{ name, fault: 'wrong', fix }]
    const isNeeded =
      otherwise === undefined ||
      needed.includes(name) ||
      mailDrivers?.includes(String(settings.MAIL_DRIVER))
    return isNeeded ? [{ name, fault: 'missing', fix }] : []
  })
}
