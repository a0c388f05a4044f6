/** The time zones that a course may be in. */

/** The reader's own time zone. */
export const OWN_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone

const KNOWN = Intl.supportedValuesOf('timeZone')

/** All time zones that this browser knows, the likely ones first. @param current the course's time zone */
export function timeZonesWith(current: string = OWN_ZONE): string[] {
  return [...new Set([current, 'UTC', OWN_ZONE, ...KNOWN])]
}
