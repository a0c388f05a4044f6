// A text field on the page that submits a program, until the app is loaded: on a slow network that takes seconds.
// `lib/drafts/early-code.ts` takes over its text. The field is not shown if this browser keeps drafts, because it is
// not known yet whose drafts they are.
;(function showEarlyCode() {
  var problem = /^\/course\/[^/]+\/problem\/(\d+)\/submit$/.exec(location.pathname)
  if (problem === null) return
  var locale = null
  try {
    var draft = RegExp('^draft:[^:]*:' + problem[1] + ':')
    for (var index = 0; index < localStorage.length; index += 1)
      if (draft.test(localStorage.key(index))) return
    locale = localStorage.getItem('locale')
  } catch {
    // Without storage there are no drafts.
  }
  var label = locale === 'chinese' || locale === 'taiwanese' ? '程式碼' : 'Source code'
  var field = document.createElement('textarea')
  field.id = 'early-code'
  field.dataset.problem = problem[1]
  field.setAttribute('aria-label', label)
  field.placeholder = label
  field.spellcheck = false
  field.autocapitalize = 'off'
  field.wrap = 'off'
  document.body.prepend(field)
})()
