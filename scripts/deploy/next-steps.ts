/** The text that a deploy prints at its end. */
import { installLine } from '#contract/installation/host-setup'
import type { Deployed } from './installation.ts'

/** The command that makes a fresh machine a judge host, or where to find it. */
function hostLine(
  { address, isFirst, registrationToken: secret }: Deployed,
  isAsked: boolean,
  installSha256: string | undefined,
): string {
  const dialog = `Judge hosts: ${address}/admin/dashboard, “Add judge host”.`
  if (!isFirst && !isAsked)
    return `${dialog} One line for all hosts: npm run deploy -- --show-host-line`
  if (secret === null)
    return `${dialog} The registration token is only in the settings file of the machine that made it.`
  if (installSha256 === undefined) return dialog
  const setup = { server: address, secretName: 'RUNNER_REGISTRATION_TOKEN', secret } as const
  return `This line, run as root, makes a fresh Debian or Ubuntu a judge host:\n${installLine({ ...setup, installSha256 })}`
}

/**
 * The next steps, for the terminal. The line for a judge host holds the registration token. It is shown only after the first deploy
 * and with `--show-host-line`, so that it is not in the log of every deploy.
 * @param installSha256 hash of the published install script; undefined when none was published
 */
export function nextSteps(
  deployed: Deployed,
  isAsked: boolean,
  installSha256: string | undefined,
): string {
  const { address, adminLink, account, judgeQueueId } = deployed
  return [
    `\nThe judge is at ${address}`,
    adminLink
      ? `\nOpen this link and choose the first admin's password (it works once, for 7 days):\n${adminLink}`
      : '\nThere is an active admin, who can create accounts.',
    `\n${hostLine(deployed, isAsked, installSha256)}
Further settings, for tickets from the queue: QUEUES_ACCOUNT_ID=${account} QUEUE_ID=${judgeQueueId} QUEUES_API_TOKEN=(a token with “Account · Queues · Edit”)`,
  ].join('\n')
}
