/* Every limit of the program, with the reason for each number. */
#ifndef FH_CORE_LIMITS_H
#define FH_CORE_LIMITS_H

#include <stddef.h>
#include <stdint.h>

/* Longest asset that is looked for. The machine's largest main memory is 8 MiB (development
 * consoles; 2 MiB in the shops), and an animation is played from memory. The largest real one
 * known is under 20 KiB (TOD) and under 512 KiB (HMD). */
#define FH_MAX_ASSET_LEN ((size_t)8 << 20)

/* Arena of one candidate, for each of its bytes and those of its companion: tables of at most 12
 * bytes for each 4-byte word of a TOD (its packets) and 64 of an HMD (hostile ones can begin a
 * primitive, of 28 bytes, and a record, of 16, at every word; owners take 1, the image that is
 * played 4), of at most 9 for each byte of a TRA4 text (a bone of 6 bytes takes 28, 16 to find its
 * name again and 5 to be played; one of its model, of at least 14 bytes more, takes 72, and 192 to
 * be placed in the world), and a floor for what does not grow with the input: one record of 64
 * bytes for each of 65,536 object ids, their index, and the largest object table of a player. Only
 * what is used is ever touched. */
#define FH_ARENA_PER_BYTE ((size_t)16)
#define FH_ARENA_FLOOR ((size_t)8 << 20)

/* Work units for one candidate, for each of its bytes and those of its companion. Reading a word
 * costs one unit; finding an object in a table of 50 slots costs at most 50 a packet, and the
 * smallest packet that looks one up has 4 bytes; walking parents and hashing poses come on top. */
#define FH_BUDGET_PER_BYTE ((uint64_t)256)
#define FH_BUDGET_FLOOR ((uint64_t)1 << 20)

/* And for the replay of a TRA4 text without errors, beside those: for each byte, and the most. It
 * may tell a bone, of at least 196 bytes, to move for 32767 frames, and a pose costs 120 units at
 * most, with its place in the world. So this is enough for every sound text of up to 64 bones,
 * however long it plays; a larger one has its share of the bytes as well. 64 bones take 1.2 s
 * (measured, with the hash of every pose). */
#define FH_POSE_BUDGET_PER_BYTE ((uint64_t)20480)
#define FH_POSE_BUDGET_MOST ((uint64_t)65 * 32768 * 120)

/* And for the replay of an HMD, beside those, the most: how long it takes to repeat has little to
 * do with its bytes, for at the least speed a key frame takes 4080 frames. The known ones need 4
 * million at most and 16 million at that speed; this takes 0.3 to 0.6 s (measured). */
#define FH_MOTION_BUDGET_MOST ((uint64_t)1 << 25)

/* Work units for all assets of a source together that go beyond those of their bytes: the floor,
 * and what a TRA4 text or an HMD that moves may ask for. Real assets need neither, but for those
 * that play long; this is enough for four texts with 64 bones, or for a few hundred with one, or
 * for 32 HMD that take all they may. A source made of the shortest texts that play longest could
 * otherwise replay for hours. */
#define FH_RESERVE ((uint64_t)1 << 30)

/* Of these, for the verification, in formats whose parts may be referred to again and again (HMD),
 * and the least there is. Real files need 2.1 a byte; control sections as tangled as they can be,
 * with every stream id, need about 100. */
#define FH_LOOK_BUDGET_PER_BYTE ((uint64_t)128)
#define FH_LOOK_BUDGET_FLOOR ((uint64_t)1 << 20)

/* Work units, for a byte of an accepted asset, for the places inside it that begin like another
 * one. Real assets hold none; hostile ones could hold one every few words. */
#define FH_INSIDE_BUDGET_PER_BYTE ((uint64_t)16)

/* And the least for one asset: enough to walk once over the longest one, which may begin inside. */
#define FH_INSIDE_BUDGET_FLOOR ((uint64_t)4 << 20)

/* Work units, for a byte of a stream, for all candidates of a format that are tried in it. An asset
 * may cost more than its share of this, for it is refunded when it is accepted; bytes that begin
 * like an asset every few words and lead far away each time may not. A byte pays when the search
 * has passed it, so that nobody spends the share of what lies behind: a candidate has at least what
 * the bytes pay that lie between it and the last one. With more, bytes that spend all of it would
 * be searched at less than 40 MB a second (measured: 4.5 ns a unit). */
#define FH_SEARCH_BUDGET_PER_BYTE ((uint64_t)4)

/* And what there is to begin with: enough to decide the longest asset where a stream begins. It is
 * asked with twice the bytes each time it needs more, so a text, of which every byte costs 2 to 3
 * units, takes 8 for each; the words of an HMD cost a quarter of that. */
#define FH_SEARCH_BUDGET_FLOOR ((uint64_t)16 << 20)
#define FH_SEARCH_BUDGET_TEXT ((uint64_t)64 << 20)

/* Of the work that the bytes of a stream pay (FH_SEARCH_BUDGET_PER_BYTE), one unit for so many of
 * them is for the places of the format that are put off (scanner/hunt/track_again.c), so that both
 * together cost no more. The known HMD cost at most 0.4 units a byte to be found, so they are paid
 * by their own bytes. What there is to begin with walks once over the longest asset, or over some
 * whose parts are referred to again and again. */
#define FH_AGAIN_BYTES_PER_UNIT ((int64_t)2)
#define FH_AGAIN_BUDGET_FLOOR ((uint64_t)4 << 20)

/* Of these, what is kept for places behind which there is nothing: who makes rows may make as many
 * as he likes that are followed by something. */
#define FH_AGAIN_BUDGET_KEPT (FH_AGAIN_BUDGET_FLOOR / 2)

/* Bytes that are searched behind a place before it is looked at again: as many as the largest real
 * asset has. They stay in the window for it. */
#define FH_AGAIN_DISTANCE ((int64_t)512 << 10)

/* Bytes from one place to the next one of its format with which they are no row: the first may be
 * an asset, and the other one begin behind it. The shortest real ones are longer, and two looks for
 * so many bytes cost nothing beside these. */
#define FH_AGAIN_GAP ((int64_t)256)

/* Places of a format that are looked at again in vain before the older ones are given up: one
 * inside the asset that it lies in, and a hostile one in front of it. More would spend what the
 * next row needs. */
#define FH_AGAIN_VAIN 2u

/* Findings of one rule in one asset that are told one by one; the rest are counted, and the last
 * one told says how many there were. A hostile asset could otherwise fill the database. */
#define FH_MAX_FINDINGS_PER_RULE 20u

/* Bytes in front of a place that are kept for looking back from it: a text is known by a word that
 * may stand behind its first one, and the line that a piece of a text begins within is at most 4096
 * characters long. */
#define FH_LOOK_BEHIND ((size_t)8 << 10)

/* Parts of texts that are kept until their source has been searched, to be put in order: those of a
 * dump of 16 MiB that holds nothing else, and twice the longest asset. */
#define FH_MAX_PARTS ((size_t)4096)
#define FH_MAX_PART_BYTES ((size_t)16 << 20)

/* Other parts that one is held against; and work units for all of that, for a byte that is kept,
 * and the least. A real text has one part that follows another; for one that does not fit at most
 * 16 ways to cut its line are tried, each of at most 1,600 bytes that are copied and read. */
#define FH_MAX_PART_TRIES 64u
#define FH_JOIN_BUDGET_PER_BYTE ((uint64_t)16)
#define FH_JOIN_BUDGET_FLOOR ((uint64_t)32 << 20)

/* Bytes of assets that are held at once while they are read again from their source, and passes
 * over it. Assets of one stream lie behind each other, and those of a scattered text among its
 * others; so one pass is enough but for databases that were made up. */
#define FH_EXTRACT_MAX_OPEN ((size_t)64 << 20)
#define FH_EXTRACT_MAX_PASSES 16u

/* Assets and pieces that are asked of one file at a time; the next ones are another pass. A disc of
 * 333,000 sectors that holds nothing but the smallest files has no more than five times as many. */
#define FH_EXTRACT_MAX_ASSETS ((size_t)65536)
#define FH_EXTRACT_MAX_PIECES ((size_t)262144)

/* Assets of an image that are kept to be told once, if they lie in several streams: three for each
 * sector of a disc. 48 MiB, if so many are there; the others are told for the first stream only. */
#define FH_MAX_TOLD ((size_t)1 << 20)

/* Bytes of undecided assets that the streams of interleaved pairs hold together: four of the
 * longest ones. A machine with 8 MiB of memory does not play more. */
#define FH_MAX_CHANNEL_BYTES ((size_t)32 << 20)

/* Bytes of what is written beside an extracted asset. Each rule of a format can add 20 findings of
 * at most a few KiB; none of the formats has as many rules as that would take. */
#define FH_SIDECAR_MAX_LEN ((size_t)64 << 20)

/* Edits of one repair. The longest camerawork has 30,000 rows of 25 columns, and all of them may be
 * in a form that can be mended. */
#define FH_MAX_EDITS ((size_t)1 << 20)

/* Times that the repairs of one severity are looked for again: edits of two rules that overlap are
 * made one after the other, and no more than three do. */
#define FH_REPAIR_ROUNDS 8u

/* Examinations of a reduction unless the user says otherwise: enough to try every byte of a file of
 * 4 KiB twice. And the work of all of them, in units of a byte's share: an examination of a file
 * costs 64 for each of its bytes, and what its replay took beyond its bytes. */
#define FH_REDUCE_STEPS 10000u
#define FH_REDUCE_WORK ((uint64_t)1 << 36)
#define FH_REDUCE_WORK_PER_BYTE ((uint64_t)64)

/* Text of one piece of evidence (a value found, a value expected). */
#define FH_EVIDENCE_LEN ((size_t)96)
#define FH_MESSAGE_LEN ((size_t)512)

/* Frames of a replay whose end the asset does not say (HMD: until it repeats). At 60 frames a
 * second they take 18 minutes; every real file repeats within a fiftieth of that. */
#define FH_MAX_REPLAY_FRAMES ((uint32_t)65536)

/* Slots of a player's object table: 50 in the sample players, and the most that a user may ask
 * for. */
#define FH_PLAYER_SLOTS 50u
#define FH_PLAYER_MAX_SLOTS 1024u

#endif
