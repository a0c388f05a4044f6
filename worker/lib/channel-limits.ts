/** Limits at the server's end of the sockets over which it pushes hints to open pages and judge hosts. */
export const CHANNELS = {
  /** Sockets of one person: one for each tab of a course. A further socket ends the oldest one, whose tab then polls. */
  sockets: 20,
  /** Sockets of one person, including those that were told to close and are still open. At this number no further one is opened. */
  socketsHeld: 40,
  /** Sockets of one judge host: one per process, and sockets whose end is not noticed yet. */
  socketsOfHost: 4,
  /** The limits like `socketsHeld` of one judge host, and of all hosts together, removed ones included. */
  socketsOfHostHeld: 16,
  hostSocketsHeld: 1_600,
  /** Judgements of one person whose progress is remembered. */
  progress: 50,
  /** How long a call waits for a channel, ms. */
  answerMs: 500,
  /**
   * The most people who are told of one announcement; all others see it when they load their next page. A call may talk to a
   * thousand objects.
   */
  recipients: 900,
  /** After this time a socket ends with its next hint; the page then connects again, which checks its session. Seconds. */
  seconds: 3_600,
  /** A host that has been silent for longer is not told of jobs. Ms. */
  hostSilentMs: 60_000,
} as const
