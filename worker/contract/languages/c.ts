import { C_RUNTIME, type LanguageData } from '#contract/languages/language'

/** C17 with GNU extensions. Warnings are off: a submission is not a review. */
export const c = {
  code: 0,
  id: 'c',
  label: 'C',
  mask: 1,
  file: 'main.c',
  fileEndings: ['c'],
  editor: 'cpp',
  copyFamily: 'c',
  versionArgv: ['/usr/bin/gcc', '--version'],
  compileArgv: [
    '/usr/bin/gcc',
    '-DONLINE_JUDGE',
    '-O2',
    '-w',
    '-std=gnu17',
    '-fmax-errors=20',
    '-o',
    'main',
    'main.c',
    '-lm',
  ],
  artefact: 'main',
  runArgv: ['/box/main'],
  runtime: C_RUNTIME,
  timeFactor: 1,
  memoryFactor: 1,
  warmUpSource: '#include <stdio.h>\nint main(void) { puts("warm"); return 0; }\n',
} as const satisfies LanguageData
