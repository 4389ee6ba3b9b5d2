/* What is called from outside of one library, after the steps of its game: the calls of one play, and those of the kind. */

#include "outcome.h"
#include "many.h"
#if defined(TRACING)
#include "watched.h"
#include "belief.h"
#if defined(LEARNING)
#include "net.h"
#endif
#include "search.h"
#include "regrets.h"
#if defined(LEARNING)
#include "learn.h"
#include "look.h"
#endif
#elif defined(COUNTING)
#include "counted.h"
#elif defined(EXPLICIT)
#include "explicit.h"
#else
#include "vector.h"
#endif
