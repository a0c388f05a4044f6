import { type PublishedSums, readSums } from '#contract/installation/host-setup'

/** A Worker and its files are deployed together, so the sums are read once. */
let sums: PublishedSums | undefined

/** The sums of what is published for judge hosts. */
export async function publishedSums({ ASSETS }: { ASSETS: Fetcher }): Promise<PublishedSums> {
  if (sums) return sums
  const answer = await ASSETS.fetch('https://assets/runner/SHA256SUMS').catch(() => null)
  if (!answer?.ok) return readSums('')
  sums = readSums(await answer.text())
  return sums
}
