/* An extension module of CPython that steps native states (interpreter.native.native_state builds it).

   It works with the library of any game: a `Library` holds the address of its `explicit_apply`, a `Play` one buffer and
   the history. `bind` gives a class of states (interpreter.native.native_state) methods in C, which read the play from
   the slot `_play` of the state. Rare operations stay in the methods of that class in Python. All calls hold Python's
   lock. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>
#include <string.h>

#include "explicit_head.h"

#define PAIRS 4096 /* outcomes with their probabilities that are kept, in a direct-mapped cache */
#define SPARE 16   /* buffers that are kept for the next play */

typedef int64_t (*apply_t)(void *, int32_t);

typedef struct {
    PyObject *pair; /* (outcome, probability) */
    int32_t outcome, count, total;
} pair_t;

typedef struct {
    PyObject_HEAD
    apply_t apply;
    Py_ssize_t size, listed; /* bytes of a buffer, and of its part before what is listed */
    Py_ssize_t most_entries; /* the entries of chance in the longest history in which it is answered here */
    int32_t cards;
    int spare;
    void *buffers[SPARE];
    pair_t pairs[PAIRS];
} Library;

typedef struct {
    PyObject_HEAD
    Library *library;
    explicit_head_t *head; /* the buffer */
    PyObject *entries;     /* a list: actor and action in turn */
    Py_ssize_t actions;
} Play;

static PyTypeObject *library_type, *play_type;

/* ---- libraries */

static PyObject *library_new(PyTypeObject *type, PyObject *args, PyObject *named) {
    static char *names[] = {"apply", "size", "listed", "cards", "most_entries", NULL};
    unsigned long long apply;
    Py_ssize_t size, listed, most_entries;
    int cards;
    if (!PyArg_ParseTupleAndKeywords(args, named, "Knnin", names, &apply, &size, &listed, &cards, &most_entries)) return NULL;
    if (!apply || listed < (Py_ssize_t)sizeof(explicit_head_t) || size < listed || cards < 0) {
        PyErr_SetString(PyExc_ValueError, "this is no library of a game");
        return NULL;
    }
    Library *made = (Library *)type->tp_alloc(type, 0);
    if (!made) return NULL;
    made->apply = (apply_t)(uintptr_t)apply;
    made->size = size;
    made->listed = listed;
    made->cards = cards;
    made->most_entries = most_entries;
    return (PyObject *)made;
}

static void library_dealloc(Library *library) {
    PyTypeObject *type = Py_TYPE(library);
    while (library->spare) PyMem_Free(library->buffers[--library->spare]);
    for (int i = 0; i < PAIRS; i++) Py_XDECREF(library->pairs[i].pair);
    type->tp_free(library);
    Py_DECREF(type);
}

/* An outcome with its probability, `count` of `total`: a new reference. */
static PyObject *pair_of(Library *library, int32_t outcome, int32_t count, int32_t total) {
    uint32_t hash = ((uint32_t)outcome * 31u + (uint32_t)count) * 127u + (uint32_t)total;
    pair_t *kept = &library->pairs[hash % PAIRS];
    if (!kept->pair || kept->outcome != outcome || kept->count != count || kept->total != total) {
        PyObject *pair = Py_BuildValue("(id)", (int)outcome, (double)count / total);
        if (!pair) return NULL;
        Py_XSETREF(kept->pair, pair);
        kept->outcome = outcome;
        kept->count = count;
        kept->total = total;
    }
    return Py_NewRef(kept->pair);
}

/* ---- plays */

static Play *play_made(Library *library) { /* a play whose buffer has to be filled */
    Play *play = PyObject_New(Play, play_type);
    if (!play) return NULL;
    play->library = (Library *)Py_NewRef((PyObject *)library);
    play->actions = 0;
    play->entries = NULL;
    play->head = library->spare ? library->buffers[--library->spare] : PyMem_Malloc((size_t)library->size);
    if (!play->head) {
        Py_DECREF(play);
        PyErr_NoMemory();
        return NULL;
    }
    return play;
}

static void play_dealloc(Play *play) {
    PyTypeObject *type = Py_TYPE(play);
    Library *library = play->library;
    if (play->head && library->spare < SPARE) library->buffers[library->spare++] = play->head;
    else PyMem_Free(play->head);
    Py_XDECREF(play->entries);
    Py_DECREF(library);
    PyObject_Free(play);
    Py_DECREF(type);
}

static PyObject *play_new(PyTypeObject *type, PyObject *args, PyObject *named) {
    static char *names[] = {"library", "buffer", NULL};
    PyObject *library;
    unsigned long long buffer;
    if (!PyArg_ParseTupleAndKeywords(args, named, "O!K", names, library_type, &library, &buffer)) return NULL;
    Play *made = play_made((Library *)library);
    if (!made) return NULL;
    memcpy(made->head, (void *)(uintptr_t)buffer, (size_t)made->library->size);
    if (!(made->entries = PyList_New(0))) {
        Py_DECREF(made);
        return NULL;
    }
    return (PyObject *)made;
}

static const int32_t *listed_of(const Play *play) {
    return (const int32_t *)((const char *)play->head + play->library->listed);
}

static PyObject *play_copy(Play *play, PyObject *unused) {
    Play *made = play_made(play->library);
    if (!made) return NULL;
    size_t listed = play->head->n > 0 ? (size_t)play->head->n : 0;
    memcpy(made->head, play->head, (size_t)play->library->listed + listed * sizeof(int32_t));
    made->actions = play->actions;
    if (!(made->entries = PyList_GetSlice(play->entries, 0, PyList_GET_SIZE(play->entries)))) {
        Py_DECREF(made);
        return NULL;
    }
    return (PyObject *)made;
}

static int play_note(Play *play, int32_t actor, PyObject *item) {
    PyObject *number = PyLong_FromLong(actor);
    int failed = !number || PyList_Append(play->entries, number) || PyList_Append(play->entries, item);
    Py_XDECREF(number);
    play->actions += actor >= 0;
    return !failed;
}

/* Carry out an action or an outcome: who is to act, WRONG or ELSEWHERE; -100 where an exception is set. */
#define RAISED (-100)
static int64_t play_step(Play *play, PyObject *action) {
    int overflow;
    long number = PyLong_AsLongAndOverflow(action, &overflow);
    int32_t actor = play->head->to_act;
    if (number == -1 && PyErr_Occurred()) return RAISED;
    if (overflow || number <= INT32_MIN || number >= INT32_MAX) return WRONG;
    if (actor < 0 && PyList_GET_SIZE(play->entries) - 2 * play->actions + 2 > play->library->most_entries) return ELSEWHERE;
    int64_t found = play->library->apply(play->head, (int32_t)number);
    if (found >= TERMINAL && !play_note(play, actor, action)) return RAISED;
    return found;
}

static PyObject *play_apply(Play *play, PyObject *action) {
    int64_t found = play_step(play, action);
    return found == RAISED ? NULL : PyLong_FromLongLong(found);
}

static PyObject *play_legal_actions(Play *play, PyObject *unused) {
    const int32_t *listed = listed_of(play);
    Py_ssize_t n = play->head->to_act >= 0 && play->head->n > 0 ? play->head->n : 0;
    PyObject *list = PyList_New(n);
    for (Py_ssize_t i = 0; list && i < n; i++) {
        PyObject *action = PyLong_FromLong(listed[i]);
        if (!action) Py_CLEAR(list); else PyList_SET_ITEM(list, i, action);
    }
    return list;
}

static int ascending(const void *one, const void *other) {
    int32_t a = *(const int32_t *)one, b = *(const int32_t *)other;
    return (a > b) - (a < b);
}

static PyObject *card_outcomes(Play *play) {
    const int32_t *listed = listed_of(play);
    Py_ssize_t n = play->head->n;
    int32_t cards = play->library->cards, total = play->head->cards;
    PyObject *list = PyList_New(n);
    for (Py_ssize_t i = 0; list && i < n; i++) {
        int32_t more = listed[i] >= cards ? listed[i] / cards : 0;
        PyObject *pair = pair_of(play->library, listed[i] - more * cards, more + 1, total);
        if (!pair) Py_CLEAR(list); else PyList_SET_ITEM(list, i, pair);
    }
    return list;
}

static PyObject *value_outcomes(Play *play) {
    int32_t n = play->head->n;
    int32_t *sorted = PyMem_Malloc((size_t)n * sizeof(int32_t) + 1);
    if (!sorted) return PyErr_NoMemory();
    memcpy(sorted, listed_of(play), (size_t)n * sizeof(int32_t));
    qsort(sorted, (size_t)n, sizeof(int32_t), ascending);
    PyObject *list = PyList_New(0);
    for (int32_t i = 0, next; list && i < n; i = next) {
        for (next = i + 1; next < n && sorted[next] == sorted[i];) next++;
        PyObject *pair = pair_of(play->library, sorted[i], next - i, n);
        if (!pair || PyList_Append(list, pair)) Py_CLEAR(list);
        Py_XDECREF(pair);
    }
    PyMem_Free(sorted);
    return list;
}

static PyObject *play_chance_outcomes(Play *play, PyObject *unused) {
    if (play->head->to_act != CHANCE_NODE) return PyList_New(0);
    return play->head->kind == CARD_NEEDED ? card_outcomes(play) : value_outcomes(play);
}

static PyObject *play_note_drawn(Play *play, PyObject *faces) {
    if (!play_note(play, CHANCE_NODE, faces)) return NULL;
    Py_RETURN_NONE;
}

static PyObject *play_to_act(Play *play, void *unused) { return PyLong_FromLong(play->head->to_act); }
static PyObject *play_decisions(Play *play, void *unused) { return PyLong_FromLong(play->head->decisions); }
static PyObject *play_kind(Play *play, void *unused) { return PyLong_FromLong(play->head->kind); }
static PyObject *play_node(Play *play, void *unused) { return PyLong_FromLong(play->head->node); }
static PyObject *play_address(Play *play, void *unused) { return PyLong_FromVoidPtr(play->head); }

static PyObject *play_listed(Play *play, void *unused) {
    Py_ssize_t n = play->head->n > 0 ? play->head->n : 0;
    PyObject *list = PyList_New(n);
    for (Py_ssize_t i = 0; list && i < n; i++) {
        PyObject *item = PyLong_FromLong(listed_of(play)[i]);
        if (!item) Py_CLEAR(list); else PyList_SET_ITEM(list, i, item);
    }
    return list;
}

static PyMethodDef play_methods[] = {
    {"copy", (PyCFunction)play_copy, METH_NOARGS, "Return an independent copy."},
    {"apply", (PyCFunction)play_apply, METH_O, "Carry out an action or an outcome; return who acts, WRONG or ELSEWHERE."},
    {"legal_actions", (PyCFunction)play_legal_actions, METH_NOARGS, "Return the legal actions; none where they are at fault."},
    {"chance_outcomes", (PyCFunction)play_chance_outcomes, METH_NOARGS, "Return the outcomes with their probabilities."},
    {"note_drawn", (PyCFunction)play_note_drawn, METH_O, "Put the faces of all unknown cards into the history."},
    {0}};
static PyMemberDef play_members[] = {
    {"entries", T_OBJECT_EX, offsetof(Play, entries), READONLY, "Actor and action in turn."},
    {"num_actions", T_PYSSIZET, offsetof(Play, actions), READONLY, "How many actions players have taken."},
    {0}};
static PyGetSetDef play_getset[] = {
    {"to_act", (getter)play_to_act, NULL, "Who is to act.", NULL},
    {"num_decisions", (getter)play_decisions, NULL, "How many decisions players have begun.", NULL},
    {"kind", (getter)play_kind, NULL, "The kind of the chance event.", NULL},
    {"node", (getter)play_node, NULL, "The node of the chance event.", NULL},
    {"listed", (getter)play_listed, NULL, "The list in the buffer.", NULL},
    {"address", (getter)play_address, NULL, "The address of the buffer.", NULL},
    {0}};

/* ---- methods of states: interpreter.native.native_state makes their class */

enum { PLAY, LIBRARY, GAME, LOG, TRAIL, SLOTS };
static const char *const slot_names[SLOTS] = {"_play", "_library", "game", "_log", "_trail"};
static Py_ssize_t slots[SLOTS]; /* where they lie in a state */

enum {
    APPLY_ACTION, LEGAL_ACTIONS, CHANCE_OUTCOMES, CLONE, FRESH, IS_TERMINAL, IS_CHANCE_NODE, CURRENT_PLAYER, REFUSE,
    GO_ON, READ, METHODS
};
static const char *const method_names[METHODS] = {
    "apply_action", "legal_actions", "chance_outcomes", "clone", "_fresh", "is_terminal", "is_chance_node",
    "current_player", "_refuse", "_apply_in_python", "_read",
};
static PyObject *in_python[METHODS]; /* the methods of the class in Python */

#define SLOT(state, which) (*(PyObject **)((char *)(state) + slots[which]))

static Play *play_in(PyObject *state) { /* none where Python steps the state */
    PyObject *play = SLOT(state, PLAY);
    return play && Py_IS_TYPE(play, play_type) ? (Play *)play : NULL;
}

static PyObject *left_to_python(PyObject *state, int method, PyObject *argument) {
    return PyObject_CallFunctionObjArgs(in_python[method], state, argument, NULL);
}

static PyObject *apply_action(PyObject *state, PyObject *action) {
    Play *play = play_in(state);
    if (!play || !PyLong_CheckExact(action)) return left_to_python(state, APPLY_ACTION, action);
    int64_t found = play_step(play, action);
    if (found >= TERMINAL) Py_RETURN_NONE;
    if (found == RAISED) return NULL;
    return left_to_python(state, found == WRONG ? REFUSE : GO_ON, action);
}

static PyObject *legal_actions(PyObject *state, PyObject *unused) {
    Play *play = play_in(state);
    if (!play || play->head->to_act < 0 || play->head->n <= 0) return left_to_python(state, LEGAL_ACTIONS, NULL);
    return play_legal_actions(play, NULL);
}

static PyObject *chance_outcomes(PyObject *state, PyObject *unused) {
    Play *play = play_in(state);
    return play ? play_chance_outcomes(play, NULL) : left_to_python(state, CHANCE_OUTCOMES, NULL);
}

static void share(PyObject *state, PyObject *other, int slot) { /* let another state hold the same in a slot */
    PyObject *held = SLOT(state, slot);
    SLOT(other, slot) = Py_XNewRef(held);
}

static PyObject *copied(PyObject *state, Play *play) {
    PyTypeObject *type = Py_TYPE(state);
    PyObject *copy = play_copy(play, NULL), *other = copy ? type->tp_alloc(type, 0) : NULL;
    if (!other) {
        Py_XDECREF(copy);
        return NULL;
    }
    SLOT(other, PLAY) = copy;
    share(state, other, LIBRARY);
    share(state, other, GAME);
    share(state, other, LOG);
    return other;
}

static PyObject *fresh(PyObject *state, PyObject *unused) {
    Play *play = play_in(state);
    return play ? copied(state, play) : left_to_python(state, FRESH, NULL);
}

static PyObject *cloned(PyObject *state, PyObject *unused) {
    Play *play = play_in(state);
    if (!play) return left_to_python(state, CLONE, NULL);
    PyObject *other = copied(state, play);
    if (other) share(state, other, TRAIL);
    return other;
}

static PyObject *is_terminal(PyObject *state, PyObject *unused) {
    Play *play = play_in(state);
    return play ? PyBool_FromLong(play->head->to_act == TERMINAL) : left_to_python(state, IS_TERMINAL, NULL);
}

static PyObject *is_chance_node(PyObject *state, PyObject *unused) {
    Play *play = play_in(state);
    return play ? PyBool_FromLong(play->head->to_act == CHANCE_NODE) : left_to_python(state, IS_CHANCE_NODE, NULL);
}

static PyObject *current_player(PyObject *state, PyObject *unused) {
    Play *play = play_in(state);
    return play ? PyLong_FromLong(play->head->to_act) : left_to_python(state, CURRENT_PLAYER, NULL);
}

static PyMethodDef state_methods[] = {
    {"apply_action", apply_action, METH_O, "Carry out a legal small action, a whole sentence, or a chance outcome."},
    {"legal_actions", legal_actions, METH_NOARGS, "Return the legal small actions; at a chance node, the outcomes."},
    {"chance_outcomes", chance_outcomes, METH_NOARGS, "Return the outcomes of the waiting chance event."},
    {"clone", cloned, METH_NOARGS, "Return an independent copy."},
    {"_fresh", fresh, METH_NOARGS, "Return an independent copy that does not share its log."},
    {"is_terminal", is_terminal, METH_NOARGS, "Say whether the play is over."},
    {"is_chance_node", is_chance_node, METH_NOARGS, "Say whether a chance event waits for its answer."},
    {"current_player", current_player, METH_NOARGS, "Return the player to act, `CHANCE` (-1) or `TERMINAL` (-4)."},
    {0}};

/* ---- fields of the machine of Python: those that are empty are read by the method `_read` of the class */

#define FIELDS 64
typedef struct {
    PyObject *name;
    Py_ssize_t offset;
    PyGetSetDef definition;
} field_t;
static field_t fields[FIELDS];

static PyObject *field_get(PyObject *state, void *closure) {
    const field_t *field = closure;
    PyObject *held = *(PyObject **)((char *)state + field->offset);
    return held ? Py_NewRef(held) : left_to_python(state, READ, field->name);
}

static int field_set(PyObject *state, PyObject *value, void *closure) {
    const field_t *field = closure;
    PyObject **place = (PyObject **)((char *)state + field->offset), *held = *place;
    *place = Py_XNewRef(value);
    Py_XDECREF(held);
    return 0;
}

/* ---- binding a class */

/* Where a slot lies in the instances of a class; -1 where it is none. */
static Py_ssize_t offset_of(PyTypeObject *class, PyObject *name) {
    PyObject *member = PyObject_GetAttr((PyObject *)class->tp_base, name);
    Py_ssize_t offset = -1;
    if (!member) return -1;
    if (Py_IS_TYPE(member, &PyMemberDescr_Type)) offset = ((PyMemberDescrObject *)member)->d_member->offset;
    else PyErr_Format(PyExc_TypeError, "%R of a state must be a slot", name);
    Py_DECREF(member);
    return offset;
}

static int find_slots(PyTypeObject *class) {
    for (int i = 0; i < SLOTS; i++) {
        PyObject *name = PyUnicode_InternFromString(slot_names[i]);
        if (!name) return 0;
        slots[i] = offset_of(class, name);
        Py_DECREF(name);
        if (slots[i] < 0) return 0;
    }
    return 1;
}

static int add(PyTypeObject *class, const char *name, PyObject *descriptor) { /* takes over the reference */
    int failed = !descriptor || PyObject_SetAttrString((PyObject *)class, name, descriptor);
    Py_XDECREF(descriptor);
    return !failed;
}

static int add_fields(PyTypeObject *class, PyObject *names) {
    if (PyTuple_GET_SIZE(names) > FIELDS) {
        PyErr_SetString(PyExc_ValueError, "these are too many fields");
        return 0;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); i++) {
        field_t *field = &fields[i];
        const char *name = PyUnicode_AsUTF8(PyTuple_GET_ITEM(names, i));
        if (!name || (field->offset = offset_of(class, PyTuple_GET_ITEM(names, i))) < 0) return 0;
        Py_XSETREF(field->name, Py_NewRef(PyTuple_GET_ITEM(names, i)));
        field->definition = (PyGetSetDef){name, field_get, field_set, NULL, field};
        if (!add(class, name, PyDescr_NewGetSet(class, &field->definition))) return 0;
    }
    return 1;
}

/* Give a class of states, which adds nothing to its base, the methods and the fields in C. */
static PyObject *bind(PyObject *module, PyObject *args) {
    PyTypeObject *class;
    PyObject *names;
    if (!PyArg_ParseTuple(args, "O!O!", &PyType_Type, &class, &PyTuple_Type, &names)) return NULL;
    if (!find_slots(class)) return NULL;
    for (int i = 0; i < METHODS; i++) {
        PyObject *method = PyObject_GetAttrString((PyObject *)class->tp_base, method_names[i]);
        if (!method) return NULL;
        Py_XSETREF(in_python[i], method);
    }
    for (PyMethodDef *method = state_methods; method->ml_name; method++)
        if (!add(class, method->ml_name, PyDescr_NewMethod(class, method))) return NULL;
    if (!add_fields(class, names)) return NULL;
    Py_RETURN_NONE;
}

/* ---- the module */

static PyType_Slot library_slots[] = {{Py_tp_new, library_new}, {Py_tp_dealloc, library_dealloc}, {0}};
static PyType_Spec library_spec = {"fast_states.Library", sizeof(Library), 0, Py_TPFLAGS_DEFAULT, library_slots};
static PyType_Slot play_slots[] = {
    {Py_tp_new, play_new}, {Py_tp_dealloc, play_dealloc}, {Py_tp_methods, play_methods}, {Py_tp_members, play_members},
    {Py_tp_getset, play_getset}, {0}};
static PyType_Spec play_spec = {"fast_states.Play", sizeof(Play), 0, Py_TPFLAGS_DEFAULT, play_slots};
static PyMethodDef functions[] = {{"bind", bind, METH_VARARGS, "Give a class of states its methods and fields in C."}, {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "fast_states", NULL, -1, functions};

PyMODINIT_FUNC PyInit_fast_states(void) {
    PyObject *module = PyModule_Create(&definition);
    if (!module) return NULL;
    library_type = (PyTypeObject *)PyType_FromSpec(&library_spec);
    play_type = library_type ? (PyTypeObject *)PyType_FromSpec(&play_spec) : NULL;
    if (!play_type || PyModule_AddObjectRef(module, "Library", (PyObject *)library_type) ||
        PyModule_AddObjectRef(module, "Play", (PyObject *)play_type)) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
