/* The head of a buffer in which a play with explicit chance is stepped (explicit.h); Python and the extension module that
   steps states (fast_states.c) read it too. */

#include <stddef.h>
#include <stdint.h>

#define CHANCE_NODE (-1)
#define TERMINAL (-4)
#define WRONG (-10)     /* no such action or outcome here; nothing has changed */
#define ELSEWHERE (-11) /* C has no answer: the buffer is of no more use, and Python has to go on */
#define NOTHING_NEEDED 0
#define CARD_NEEDED 1
#define VALUE_NEEDED 2

typedef struct {
    int32_t to_act;
    int32_t n;     /* how many actions or outcomes there are; -1: to list the actions is at fault */
    int32_t kind;  /* of the chance event */
    int32_t node;  /* of the chance event */
    int32_t cards; /* of how many cards one is requested */
    int32_t decisions; /* how many decisions players have begun */
} explicit_head_t;
