/** Every message that people and other clients rely on, by its key in the web app's catalogue. */
export const PRODUCT_MESSAGES = {
  'submit.emptyCode': 'Please paste your source code to submit.',
  'submit.noLanguage': 'Please select the programming language.',
  'submit.failed': 'Oops! Something went wrong when submitting the code. Try again later.',
  'password.mismatch': 'Password does not match.',
  'password.wrong': 'Wrong Password',
  'password.failed': 'Operation failed, please try again later',
  'passwordReset.notFound': 'No account with this email can be found.',
  'passwordReset.sent': 'Email sent, please check your inbox.',
  'common.serverFailure': 'Oops! Our server failed to respond.',
  'common.wrong': 'Oops! Something went wrong, please refresh the page to try again.',
  'signIn.ERR001': 'Login Failed: Your username/email or password is incorrect.',
  'signIn.ERR002':
    'Login Failed: Your account is not activated yet, please go to {host} to verify your email.',
  'signIn.UNKNOWN':
    'Unknown Error, please contact teaching assistants or maintainers, or try again later.',
  'courses.unknownError': 'Unknown error occurred :(',
} as const

/** The messages beside fields, each once with its blanks filled in. */
export const PRODUCT_FIELD_MESSAGES = {
  required: ['Value is required', {}, 'Value is required'],
  between: [
    'The value must be between {min} and {max}',
    { min: 1, max: 9 },
    'The value must be between 1 and 9',
  ],
  email: ['Value is not a valid email address', {}, 'Value is not a valid email address'],
  max_length: [
    'The maximum length allowed is {max}',
    { max: 64 },
    'The maximum length allowed is 64',
  ],
  min_length: [
    'This field should be at least {min} characters long',
    { min: 8 },
    'This field should be at least 8 characters long',
  ],
  same_as: [
    'The value must be equal to the {other} value',
    { other: 'password' },
    'The value must be equal to the password value',
  ],
  min_value: ['The minimum value allowed is {min}', { min: 0 }, 'The minimum value allowed is 0'],
  integer: ['Value is not an integer', {}, 'Value is not an integer'],
} as const
