/** Epoch seconds as the browser's date-and-time field has them: `YYYY-MM-DDTHH:mm`, in the reader's zone. */
import { formatTime } from './format.ts'

/** @param timeZone the reader's own unless given */
export function toLocalInput(epochSeconds: number, timeZone?: string): string {
  return formatTime(epochSeconds, timeZone).replace(' ', 'T')
}

/** Not a number when the field is empty or incomplete. */
export function fromLocalInput(text: string): number {
  return Math.floor(new Date(text).getTime() / 1000)
}
