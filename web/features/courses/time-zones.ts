/** The time zones that a course may be in. */

/** The reader's own. */
export const OWN_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone

const KNOWN = Intl.supportedValuesOf('timeZone')

/** All that this browser knows, with the likely ones first. @param current that of the course */
export function timeZonesWith(current: string = OWN_ZONE): string[] {
  return [...new Set([current, 'UTC', OWN_ZONE, ...KNOWN])]
}
