/* One ply of search over a network (SPARTA; Lerer, Hu, Foerster and Brown, 2020): candidates for the next small action of
   one player are played out by the network, in worlds of a belief that takes the others to play the network.

   The worlds come from the walk of `belief.h`, whose acceptance ratio is multiplied by how likely the network makes what
   the others did, relative to random players, whom the walk assumes. With the share `noise` the others play at random. */

typedef struct {
    walk_t *walk;
    const net_t *net;
    view_t *view;
    inputs_t *in;
    W *at;
    double noise, total;
    double *each, *proposed; /* for each turn the logarithm of how likely the network makes it, above random */
} look_t;

/* How likely the network makes the decisions of others from turn `start` on; `proposed`: in the play that is proposed. */
static double look_likely(look_t *l, i32 start, int proposed, double *each) {
    walk_t *k = l->walk;
    double sum = 0;
    for (i32 t = 1; t <= k->turns; t++) {
        if (t >= start && k->actor[t] != k->viewer) {
            const world_t *world = proposed ? &k->next : &k->now;
            const i32 *act = world->act + (i64)t * MOST_SMALL;
            u64 mask[MASK];
            each[t] = 0;
            memcpy(l->at, proposed ? mark_of(k, start, t) : k->snapshot[t], sizeof *l->at);
            l->at->w.walk = 0; l->at->w.eyes = 0;
            for (i32 j = 0; j < world->acts[t] && legal_in(&l->at->s, mask); j++) {
                int n = 0;
                for (int i = 0; i < MASK; i++) n += bit_count(mask[i]);
                if (n > 1) {
                    net_view(l->net, l->view, l->at, mask, l->in);
                    double chance = 0;
                    for (i32 i = 0; i < l->view->actions; i++) if (l->view->action[i] == act[j]) chance = l->view->chance[i];
                    each[t] += fast_log((float)((1 - l->noise) * chance * n + l->noise));
                }
                if (j + 1 < world->acts[t]) watched_carry_out(l->at, act[j]);
            }
        }
        sum += each[t];
    }
    return sum;
}

EXPORT void look_free(look_t *l) {
    if (!l) return;
    free(l->view); free(l->in); free(l->at); free(l->each); free(l->proposed); free(l);
}

/* A look of one player at the play of a walk, which stays the caller's, as the network is; 0 where there is no memory. */
EXPORT look_t *look_new(walk_t *walk, const net_t *net, double noise) {
    look_t *l = calloc(1, sizeof *l);
    if (!l) return 0;
    l->walk = walk; l->net = net; l->noise = noise;
    size_t turns = (size_t)walk->turns + 2;
    int fine = (l->view = calloc(1, sizeof(view_t))) && (l->in = calloc(1, sizeof(inputs_t))) && (l->at = calloc(1, sizeof(W)))
        && (l->each = calloc(turns, sizeof(double))) && (l->proposed = calloc(turns, sizeof(double)));
    if (!fine) { look_free(l); return 0; }
    view_begin(l->view);
    return l;
}

/* Read how likely the play is where the walk is; after steps that were taken without the network. */
EXPORT void look_begin(look_t *l) { l->total = look_likely(l, 1, 0, l->each); }

/* Take so many steps as `walk_go` does, with the network in the acceptance ratio. */
EXPORT void look_go(look_t *l, i64 steps) {
    walk_t *k = l->walk;
    double independent = k->turns <= 30 ? 0.5 : 0.15;
    for (; steps > 0; steps--) {
        change_nothing(k);
        i32 start = maybe(k, independent) ? independence_proposal(k) : local_proposal(k);
        k->tried++;
        if (start < 0 || !walk_through(k, start)) continue;
        k->possible++;
        memcpy(l->proposed, l->each, (size_t)(k->turns + 1) * sizeof(double));
        double total = look_likely(l, start, 1, l->proposed);
        float odds = (float)(total - l->total);
        double ratio = k->acceptance_ratio * (odds > 60 ? 1e26 : (double)fast_exp(odds));
        if (ratio < 1 && !maybe(k, ratio)) continue;
        walk_take(k, start);
        double *held = l->each; l->each = l->proposed; l->proposed = held;
        l->total = total;
        k->accepted++;
    }
}

/* So many worlds, with that many steps between them, as watched states side by side. */
EXPORT void look_worlds(look_t *l, W *out, i64 count, i64 steps) {
    for (i64 i = 0; i < count; i++) {
        look_go(l, steps);
        memcpy(out + i, l->walk->snapshot[l->walk->turns + 1], sizeof *out);
        out[i].w.walk = 0; out[i].w.eyes = 0;
    }
}

/* Play out each of some actions, after those that begin the sentence, in world i % worlds with luck i, for i from `first`
   on, `count` times: sums of the results, of their differences from those of the first action, and of the squares of these.
   A play is cut at the end of its round, or after `limit` decisions, with the result as it is then. */
EXPORT void look_plays(
    look_t *l, const W *world, i64 worlds, const i32 *begun, i32 begun_n, const i32 *actions, i32 n, u64 seed, i64 first,
    i64 count, i32 best, i64 limit, double scale, double margin, double *sums
) {
    int player = l->walk->viewer;
    for (i64 i = first; i < first + count; i++) {
        double base = 0, out[PLAYERS];
        for (i32 a = 0; a < n; a++) {
            u64 mask[MASK], random = random_seed(seed, (u64)i);
            memcpy(l->at, &world[i % worlds], sizeof *l->at);
            l->at->s.random = random_seed(~seed, (u64)i);
            l->at->s.too_long = 1; /* it ends with the round */
            for (i32 k = 0; k < begun_n; k++) watched_carry_out(l->at, begun[k]);
            watched_carry_out(l->at, actions[a]);
            for (i64 step = 0; step < limit && to_choice(l->at, mask); step++) {
                net_view(l->net, l->view, l->at, mask, l->in);
                leave_out_seldom(l->view);
                watched_carry_out(l->at, l->view->action[best ? likeliest(l->view) : drawn(l->view, &random)]);
            }
            result_here(scale, margin, &l->at->s, out);
            if (!a) base = out[player];
            double gain = out[player] - base;
            sums[3 * a] += out[player]; sums[3 * a + 1] += gain; sums[3 * a + 2] += gain * gain;
        }
    }
}
