import { C_RUNTIME, type LanguageData } from '#contract/languages/language'

/**
 * Compiles the source as the interpreter will, so that a syntax error is a Compile Error rather than a Runtime Error of every case. The
 * check also decodes the source, because compile() accepts wrong bytes in comments, which the interpreter refuses. Integers may have as
 * many digits as in a run. Only the error itself is printed; the frames above it are this script's.
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

/**
 * Prints the interpreter, its library, and the shared libraries that all its compiled modules load. Modules for terminals,
 * windows and networks are left out, because a box has none of the three.
 */
const RUNTIME = `
import glob, importlib, os, sys, sysconfig
modules = sysconfig.get_config_var('DESTSHARED')
useless = {'_curses', '_curses_panel', '_dbm', '_gdbm', '_ssl', '_tkinter', 'nis', 'readline'}
for file in glob.glob(os.path.join(modules, '*.so')):
    name = os.path.basename(file).split('.')[0]
    try:
        if name not in useless:
            importlib.import_module(name)
    except Exception:
        pass
print(sys.executable, sysconfig.get_path('stdlib'), sysconfig.get_path('platstdlib'), modules, sep='\\n')
with open('/proc/self/maps') as maps:
    for line in maps:
        path = line.rstrip('\\n').split(None, 5)[5:]
        if path and '.so' in path[0]:
            print(path[0])
`

/** Python 3. The artefact is the source itself; -B because nothing may be written beside it. */
export const py3 = {
  code: 2,
  id: 'py3',
  label: 'Python 3',
  mask: 4,
  file: 'main.py',
  fileEndings: ['py'],
  fenceNames: ['python', 'python3'],
  editor: 'python',
  copyFamily: 'py3',
  comment: '#',
  streams: { input: 'sys.stdin', output: 'sys.stdout' },
  packages: ['python3'],
  versionArgv: ['/usr/bin/python3', '--version'],
  compileArgv: [
    '/usr/bin/python3',
    '-B',
    '-W',
    'ignore',
    '-X',
    'int_max_str_digits=0',
    '-c',
    CHECK,
  ],
  compileText: `/usr/bin/python3 -c "compile(open('main.py', 'rb').read(), 'main.py', 'exec')"`,
  artefact: 'main.py',
  runArgv: ['/usr/bin/python3', '-B', '/box/main.py'],
  exception: /(?:^|\n)([A-Za-z_][\w.]*)(?::[^\n]*)?\n?$/,
  runtime: {
    libraries: C_RUNTIME.libraries,
    paths: [...C_RUNTIME.paths, '/usr/share/zoneinfo'],
    argv: ['/usr/bin/python3', '-B', '-W', 'ignore', '-c', RUNTIME],
  },
  timeFactor: 1,
  memoryFactor: 1,
  warmUpSource: 'print("warm")\n',
} as const satisfies LanguageData
