/** The custom domain. Without a terminal wrangler would overwrite another owner's DNS record; this code does not. */
import * as z from 'zod'
import { PlainError } from '../plain-error.ts'
import type { Cloudflare } from './cloudflare.ts'

const domains = z.array(
  z.object({ id: z.string(), hostname: z.string(), service: z.string().nullish() }),
)

/** The Workers' custom domains with this host name: one or none. */
export async function findDomain(cloudflare: Cloudflare, account: string, hostname: string) {
  const path = `/accounts/${account}/workers/domains?hostname=${hostname}`
  const found = await cloudflare.call('GET', path, domains)
  return found.find((domain) => domain.hostname === hostname)
}

/** @throws PlainError when another Worker has the host name */
export async function requireFreeDomain(
  cloudflare: Cloudflare,
  account: string,
  hostname: string,
  worker: string,
): Promise<boolean> {
  const found = await findDomain(cloudflare, account, hostname)
  if (found && found.service !== worker)
    throw new PlainError(
      `${hostname} belongs to the Worker ${found.service}: remove the domain there, or set DOMAIN to another host name.`,
    )
  return found !== undefined
}

/** Gives the host name to the Worker; Cloudflare makes its DNS record and certificate. */
export async function attachDomain(
  cloudflare: Cloudflare,
  account: string,
  hostname: string,
  worker: string,
): Promise<void> {
  await cloudflare.call('PUT', `/accounts/${account}/workers/domains`, z.unknown(), {
    hostname,
    service: worker,
    environment: 'production',
  })
}
