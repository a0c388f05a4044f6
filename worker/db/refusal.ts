/** Refusals: codes of the contract, as the database gives them to a batch whose `demand` fails. */
import { ERRORS, type ErrorCode } from '#contract/errors'

/** The message of every demand begins with this. */
export const DEMAND = 'demand:'

/** The whole message of a refused batch. People cannot imitate it, because no error of D1 begins with text that people typed. */
const REFUSED = new RegExp(
  `^D1_ERROR: ${DEMAND}([a-z_]+) (.+): SQLITE_CONSTRAINT(?:_TRIGGER)?(?: \\([^)]*\\))?$`,
  's',
)

/** A refusal with a code of the contract. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly data: unknown

  /**
   * @param code key of `ERRORS`; gives status and message
   * @param data for the envelope: `FieldError[]` for refused fields, else what the code documents
   */
  constructor(code: ErrorCode, data: unknown = null) {
    super(ERRORS[code][1])
    this.name = 'Refusal'
    this.code = code
    this.data = data
  }
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code)
}

/** The refusal that a demand made of its batch; null for any other error. */
export function refusalOf(error: unknown): Refusal | null {
  const [, code = '', data = ''] = REFUSED.exec(error instanceof Error ? error.message : '') ?? []
  return isErrorCode(code) ? new Refusal(code, JSON.parse(data)) : null
}
