import type { RunnerLanguage } from './language.ts'

/**
 * Parses the source the way the interpreter will, so that a syntax error is a Compile Error and not a
 * Runtime Error of every case; decoded as well, because compile() overlooks wrong bytes in comments that
 * the interpreter refuses. Only the error itself is printed: the frames above it are this script's.
 */
const CHECK = `
import sys, traceback
from importlib.util import decode_source
try:
    with open('main.py', 'rb') as file:
        source = file.read()
    compile(source, 'main.py', 'exec', dont_inherit=True)
    decode_source(source)
except Exception as error:
    sys.stderr.write(''.join(traceback.format_exception_only(type(error), error)))
    sys.exit(1)
`

/** Python 3. The artefact is the source itself; -B because nothing may be written beside it. */
export const py3: RunnerLanguage = {
  id: 'py3',
  versionArgv: ['/usr/bin/python3', '--version'],
  sourceName: 'main.py',
  compileArgv: ['/usr/bin/python3', '-B', '-W', 'ignore', '-c', CHECK],
  artefact: 'main.py',
  runArgv: ['/usr/bin/python3', '-B', '/box/main.py'],
  warmUpSource: 'print("warm")\n',
}
