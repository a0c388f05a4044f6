/** The server's end of the sockets over which it pushes hints to open pages and judge hosts. */
export const CHANNELS = {
  /** Of one person: one for each tab of a course. A further one ends the oldest, whose tab polls. */
  sockets: 20,
  /** Of one person, with those that were told to close and have not: with so many no further one is opened. */
  socketsHeld: 40,
  /** Of one judge host: one a process, and sockets whose end is not noticed yet. */
  socketsOfHost: 4,
  /** Of one judge host, and of all, removed ones too: as `socketsHeld`. */
  socketsOfHostHeld: 16,
  hostSocketsHeld: 1_600,
  /** Of one person: judgings whose progress is remembered. */
  progress: 50,
  /** How long a call waits for a channel, ms. */
  answerMs: 500,
  /** Whom one announcement is told at most; the others read it with their next page. A call may talk to a thousand objects. */
  recipients: 900,
  /** After this time a socket ends with its next hint; the page connects again, with its session. Seconds. */
  seconds: 3_600,
  /** A host that has been silent for longer is not told of jobs. Ms. */
  hostSilentMs: 60_000,
} as const
