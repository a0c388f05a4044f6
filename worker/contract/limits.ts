/**
 * Numbers that several programs or files of the contract share, each with its unit and, where needed, its reason. A number that only
 * one program needs stands in the file that uses it.
 */

/** Lengths of text fields in UTF-16 code units, as the browser's `maxlength` counts. */
export const TEXT_LIMITS = {
  username: 16,
  displayedName: 32,
  bio: 256,
  email: 128,
  passwordMin: 8,
  passwordMax: 128,
  courseName: 64,
  announcementTitle: 64,
  announcementMarkdown: 100_000,
  /** The part of an announcement that lists show, in characters (code points). An index in `schema.ts` repeats the number. */
  announcementExcerpt: 500,
  homeworkName: 64,
  homeworkMarkdown: 10_000,
  problemName: 64,
  tag: 16,
  /** One statement part (description, input, output or hint). */
  statementPart: 50_000,
  /** One sample input or output. */
  sample: 16_384,
  search: 64,
  /** One message of a question. */
  questionMarkdown: 4_000,
  hint: 4_000,
  /** The part of a question's first message that lists show, in characters (code points). */
  questionExcerpt: 200,
  savedReply: 1_000,
  labelName: 32,
  /** Why staff set a mark. */
  markReason: 500,
  budgetName: 64,
  webhookUrl: 500,
} as const

/** Items per request, unless the comment says otherwise. */
export const COUNT_LIMITS = {
  tags: 16,
  samples: 20,
  subtasks: 100,
  headersPerProgram: 16,
  casesPerSubtask: 100,
  homeworkProblems: 100,
  /** The most faults that one refusal names. After so many, the rest of a list is not checked. */
  fieldErrors: 20,
  /** The most rows of a file that is only checked, and the most rows that one call stores. */
  batchSignupRows: 5_000,
  batchSignupStored: 50,
  listItems: 200,
  listItemsDefault: 50,
  /** The most rows that `offset` may skip, because skipped rows are read, too. A cursor goes further. */
  listOffset: 1_000,
  /**
   * The most submissions that one page looks through in a list of one person, of pending submissions or of all courses. The
   * next page continues with older submissions.
   */
  filteredSubmissions: 5_000,
  membersPerRequest: 2_000,
  /** Questions that a badge counts; from this number on it says "99+". */
  waitingQuestions: 100,
  /** The most Judge Errors of a course that are counted. */
  judgeErrors: 100,
  /** Groups of mistakes of one page, and mistakes of a problem that are merged. */
  mistakeGroups: 30,
  mergedMistakes: 1_000,
  /** Hints of a problem. */
  hints: 50,
  /** Saved replies of one person. */
  savedReplies: 30,
  /** Labels of a course. */
  labels: 100,
  /** Budgets of late days of a course, and homeworks of a budget. */
  budgets: 10,
  budgetHomeworks: 200,
  /** Homeworks of a course, and labels' dates of a homework, that one copy takes along. */
  copiedHomeworks: 200,
  /** Open codes and invitations of a course, and invitations of one call. */
  joinCodes: 50,
  invitations: 20,
  /** Notices of one page, and the most new ones that are counted. */
  notices: 30,
  newNotices: 100,
  mutedCourses: 500,
} as const

/** Dates and points of homeworks. `lateHours`: the most hours of a late rule, one year. `points`: the most points of a problem. */
export const HOMEWORK_LIMITS = {
  lateHours: 8_784,
  lateSteps: 20,
  graceMinutes: 1_440,
  points: 1_000,
  /** Characters of a reason, and of a comment on points. */
  reason: 500,
  comment: 1_000,
  /** People in one change of dates. */
  overrides: 2_000,
} as const

/**
 * Gradebooks. `points`: of a column, a weight, or the total. `columns`: homeworks and those filled by hand. `edits`: cells of one change. `pagePeople`: students
 * of one page. `peopleAtOnce`: a change that concerns at most so many people has their marks computed at once, without an operation. `capPercent`: see
 * `TotalGroup`.
 */
export const GRADEBOOK_LIMITS = {
  points: 100_000,
  columns: 300,
  groups: 50,
  edits: 2_000,
  pagePeople: 250,
  peopleAtOnce: 20,
  capPercent: 200,
} as const

/** Late days: the most of a budget, and of one homework. */
export const LATE_DAY_LIMITS = { size: 100, mostEach: 30 } as const

/** Requests for other dates. `fileBytes`: of the file with the reason. `keepDays`: how long after its last message a request is kept. */
export const REQUEST_LIMITS = { fileBytes: 8 * 1024 ** 2, keepDays: 180 } as const

/**
 * Joining by a code. `codeLength`, `invitationLength`: characters of a code. `people`: the most that may join by one. `confirmDays`: how long a new
 * account works while its e-mail is not confirmed.
 */
export const JOIN_LIMITS = {
  codeLength: 12,
  invitationLength: 24,
  invitationDays: 7,
  confirmDays: 7,
  people: 10_000,
  domains: 20,
  domain: 100,
} as const

/** Source code of one submission, in bytes. */
export const SOURCE_LIMIT_BYTES = 64 * 1024

/** A zip with one source file, in bytes: room for a file stored uncompressed, and 16 KiB for records and comment. */
export const SOURCE_ZIP_LIMIT_BYTES = SOURCE_LIMIT_BYTES + 16 * 1024

/** A checker or interactor with its header files, in bytes together. */
export const JUDGE_PROGRAM_LIMIT_BYTES = 256 * 1024

/** Sizes of bodies. The table of calls says which calls take more. */
export const BODY_LIMITS = {
  /** A body from a caller without an account: names, addresses, passwords, tokens of mailed links. */
  guestBytes: 4 * 1024,
  /** Any other JSON. */
  formBytes: 256 * 1024,
  /** An announcement. JSON may write a character with six bytes. */
  announcementBytes: 768 * 1024,
  /** Dates and reasons for a whole course; D1 takes parameters of 2 MB. */
  overrideBytes: 1_800_000,
  /** A submission. JSON may write each byte of the 64 KiB of code with six bytes. */
  submissionBytes: 512 * 1024,
  /** A sample run: the code and the inputs. JSON may write a character with six bytes. */
  runBytes: 2 * 1024 ** 2,
  /** A problem with every text at its longest, or a whole school as CSV. */
  longFormBytes: 4 * 1024 ** 2,
  /** A runner's result: the kept outputs in base64, and room for the rest. */
  resultBytes: 16 * 1024 ** 2,
  /** Room for the form around the file. */
  formAroundFileBytes: 64 * 1024,
} as const

/** Test data. Sizes in bytes. */
export const TEST_DATA_LIMITS = {
  zipBytes: 1024 ** 3,
  /** A zip sent in one multipart/form-data request. */
  singleRequestBytes: 16 * 1024 ** 2,
  partBytesDefault: 8 * 1024 ** 2,
  partBytesMin: 5 * 1024 ** 2,
  partBytesMax: 64 * 1024 ** 2,
  /** Entries: 100 subtasks of 100 cases with an input and an output each. */
  entries: 20_000,
  /** Bytes of central directory that a runner reads. */
  centralDirectoryBytes: 4 * 1024 ** 2,
  /** Bytes at the end of a zip that are searched for its directory. A longer comment is refused. */
  zipEndBytes: 16 * 1024,
  /** Bytes of directory per entry, on average: header, name, extra fields. */
  directoryBytesPerEntry: 128,
  /** The size of one file, and of all files, after inflating. */
  entryBytes: 256 * 1024 ** 2,
  inflatedBytes: 4 * 1024 ** 3,
  /** Stored test data that the app can load back into text fields, after inflating. */
  typedBytes: 1024 ** 2,
  /** Inflated size ÷ packed size of one entry; deflate cannot exceed 1032. */
  ratio: 1032,
} as const

/** Bounds of a subtask's limits. Time in ms, memory and output in KB (1024 bytes). */
export const SUBTASK_LIMITS = {
  timeMs: { min: 1, max: 60_000, default: 1_000 },
  memoryKb: { min: 1_024, max: 4 * 1024 * 1024, default: 256 * 1024 },
  outputKb: { min: 1, max: 1024 * 1024, default: 65_536 },
  score: { min: 0, max: 100 },
} as const

/** The sum of the scores of a problem's subtasks. */
export const TOTAL_SCORE = 100

/** The quota that means "as often as you like". */
export const QUOTA_UNLIMITED = -1

/** The largest daily quota. */
export const QUOTA_MAX = 10_000

/** Personal API tokens: number per person, length of a name, lifetime in days. */
export const API_TOKENS = { perUser: 50, name: 64, daysDefault: 90, daysMax: 366 } as const

/** Bytes per stream of kept output. Staff see all kept output, the submitter sees that of sample cases. */
export const KEPT_OUTPUT_BYTES = 64 * 1024

/** Kept output of one judgement, before base64. */
export const KEPT_OUTPUT_TOTAL_BYTES = 8 * 1024 * 1024

/** Longest reason that a runner gives staff, in characters. */
export const REASON_LENGTH = 2_000

/** Bytes of a compiler message; the rest is cut. */
export const COMPILE_MESSAGE_BYTES = 64 * 1024

/** The judging pipeline. Seconds, except counts and names with another unit. */
export const JUDGING = {
  leaseSeconds: 60,
  heartbeatSeconds: 15,
  /** A runner is alive while its last heartbeat is younger than this. */
  runnerAliveSeconds: 45,
  maxAttempts: 3,
  /** A judgement that waits longer than this gets a new ticket from the sweeper. */
  ticketAgeSeconds: 30,
  /**
   * How often a runner that is not woken asks for work without a ticket. In the minute after a job, even a runner that is woken
   * asks as often.
   */
  idleClaimSeconds: 10,
  /** Window of the fairness rank: a student's jobs in it count against the student's next job. */
  rankWindowSeconds: 600,
  progressIntervalMs: 1_000,
  /** Unchanged progress is sent again after so many intervals (in a sample run after one), as a channel forgets it after ten seconds. */
  progressRepeatIntervals: 8,
  /**
   * The longest that a host holds a job, however many heartbeats it sends; each case adds `holdSecondsPerCase` and four times its
   * time limit. Honest hosts with busy neighbours need less.
   */
  holdSeconds: 1_800,
  holdSecondsPerCase: 30,
} as const

/**
 * Sample runs. `inputCharacters`: of all own inputs together, in UTF-16 code units. `inputBytes`: of all inputs and expected
 * outputs as JSON, which may write a character with six bytes. A row of D1 (2 MB) holds the inputs with the code, and later the
 * outputs.
 */
export const RUNS = {
  inputs: 10,
  inputCharacters: 256 * 1024,
  inputBytes: 1_900_000,
  /** New runs of one person, whatever their role: a host notices only after a second that a run was replaced. */
  rate: { burst: 10, intervalMs: 3_000 },
  /** A run is deleted after this time. Seconds. */
  seconds: 3_600,
  /** The highest limits of a case, even where the problem's are higher: CPU time in ms, output in KB. */
  timeMs: 10_000,
  outputKb: 1_024,
  /** Kept output of one run, before base64; each stream keeps `KEPT_OUTPUT_BYTES` at most. */
  keptBytes: 1024 ** 2,
  /** The longest that a host holds a run, however many heartbeats it sends. Seconds. */
  holdSeconds: 600,
} as const

/** Judge hosts. */
export const RUNNERS = {
  /** The most hosts that may register, and the most that are listed. */
  most: 200,
  /** The most slots that one host may have. */
  slots: 256,
  /** Jobs that may wait at a host for a slot, for each of its slots. */
  aheadPerSlot: 2,
  /** Jobs that a host may hold for each slot: the job in the slot, jobs claimed ahead, and a job whose result is on its way. */
  jobsPerSlot: 4,
  /** The most slots of a host that are used, whatever it reports, unless an admin allows more. */
  slotLimit: 64,
  /** Refused results after which a host gets no jobs until an admin activates it. */
  refusedResults: 3,
  /** Registrations of all hosts together: at first as many as a computer room has machines, then one a minute. */
  registration: { burst: 60, intervalMs: 60_000 },
  /** Once there are `most` hosts, a host that registered itself and has been silent this long makes room for a new one. Seconds. */
  forgottenSeconds: 3_600,
  /** A host that registered itself leaves the list after this long a silence. Seconds. */
  silentSeconds: 7 * 86_400,
} as const

/**
 * Speed of judge hosts: CPU time of a fixed program (`runner/host/calibrate.ts`) on the machine on which
 * this project's limits were tried, a virtual AMD EPYC of 2026. A host that takes more than `slowFactor` times
 * `referenceMs` is reported.
 */
export const CALIBRATION = { referenceMs: 100, slowFactor: 1.3 } as const

/** Bulk rejudges. */
export const REJUDGE = {
  /** Results of earlier test data are counted up to this number, because counting reads each one. */
  mostCounted: 1_000,
} as const

/**
 * The database. `mostBytes`: what one D1 holds (developers.cloudflare.com/d1/platform/limits). One alarm begins when the
 * database is filled to `warnShare`, a second one at `alarmShare`.
 */
export const DATABASE = {
  mostBytes: 10_000_000_000,
  warnShare: 0.7,
  alarmShare: 0.9,
} as const

/** The highest queue position that is told; later ones are told as this one, because the jobs ahead are counted one by one. */
export const QUEUE_POSITION_MOST = 100

/** Sockets over which the server pushes hints to open pages. */
export const LIVE = {
  /** How often a page checks its connection. Without an answer by the next check the page connects again. Ms. */
  pingMs: 25_000,
  /** Pause before a page connects again: one to three times `first`, longer after each try, at most `longest`. Ms. */
  reconnectMs: { first: 2_000, longest: 60_000 },
} as const
