// safetensors_fuzz [count] [seed]: damages valid files in many ways and reads them.
//
// Each input is a function of (seed, its number), so a failure is repeated with `safetensors_fuzz 1
// SEED NUMBER`. It fails when reading crashes (run it under the sanitizers), hangs, holds more
// memory at a time than the file's size plus 16 MB, or accepts a file that it then cannot read or
// write back.

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "engine/core/rng.h"
#include "engine/io/safetensors.h"

// Everything that operator new has handed out, added up.
static std::size_t allocated = 0;

static void* allocate(std::size_t size) {
  allocated += size;
  void* block = std::malloc(size);
  if (block == nullptr) std::abort();
  return block;
}

// All forms: the sanitizers bring their own of those that are left out.
void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t) noexcept { std::free(block); }

namespace tp {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::size_t kAllowance = 16 << 20;
constexpr unsigned kPatienceSeconds = 20;
constexpr std::uint64_t kEverySoMany = 1'000;

// ---- valid files to start from ------------------------------------------------------------------

Bytes seed_file(Rng& rng) {
  static constexpr DType kTypes[] = {DType::kF64, DType::kF32, DType::kF16, DType::kBF16,
                                     DType::kI64, DType::kI32, DType::kU64, DType::kU8};
  struct Tensor {
    std::string name;
    DType dtype;
    Shape shape;
    Bytes bytes;
  };
  std::vector<Tensor> tensors(rng.below(5));
  std::vector<TensorToWrite> to_write;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    Tensor& t = tensors[i];
    t.name = "encoder.layers." + std::to_string(i) + ".weight";
    t.dtype = kTypes[rng.below(std::size(kTypes))];
    std::size_t elements = 1;
    for (std::uint32_t axes = rng.below(4); axes > 0; --axes) {
      t.shape.push_back(rng.below(5));
      elements *= static_cast<std::size_t>(t.shape.back());
    }
    t.bytes.resize(elements * size_of(t.dtype));
    for (std::byte& b : t.bytes) b = static_cast<std::byte>(rng.below(256));
    to_write.push_back({t.name, t.dtype, t.shape, t.bytes});
  }
  Metadata metadata;
  for (std::uint32_t i = rng.below(3); i > 0; --i) metadata["key" + std::to_string(i)] = "v\"\n";
  Result<Bytes> bytes = safetensors_bytes(to_write, metadata);
  TP_CHECK(bytes.ok(), "the seed file must be valid");
  return std::move(bytes.value());
}

// ---- damage -------------------------------------------------------------------------------------

std::uint64_t header_length(const Bytes& file) {
  std::uint64_t length = 0;
  if (file.size() >= 8) std::memcpy(&length, file.data(), 8);
  return std::min<std::uint64_t>(length, file.size() - std::min<std::size_t>(file.size(), 8));
}

std::string header_of(const Bytes& file) {
  const std::uint64_t length = header_length(file);
  return length == 0 ? "" : std::string(reinterpret_cast<const char*>(file.data()) + 8, length);
}

// Puts another header into the file; its announced length follows, so that damage inside gets
// through.
void set_header(Bytes& file, const std::string& header) {
  Bytes data(file.begin() + std::min<std::ptrdiff_t>(std::ssize(file), 8 + header_length(file)),
             file.end());
  const std::uint64_t length = header.size();
  file.resize(8 + header.size());
  std::memcpy(file.data(), &length, 8);
  std::memcpy(file.data() + 8, header.data(), header.size());
  file.insert(file.end(), data.begin(), data.end());
}

std::size_t somewhere(Rng& rng, std::size_t size) {
  return size == 0 ? 0 : rng.below(static_cast<std::uint32_t>(size));
}

void flip_bits(Rng& rng, Bytes& file) {
  for (std::uint32_t i = 1 + rng.below(4); i > 0 && !file.empty(); --i) {
    file[somewhere(rng, file.size())] ^= std::byte{1} << rng.below(8);
  }
}

void flip_header_bits(Rng& rng, Bytes& file) {
  const std::size_t reach = std::min<std::size_t>(file.size(), 8 + header_length(file));
  for (std::uint32_t i = 1 + rng.below(3); i > 0 && reach > 0; --i) {
    file[somewhere(rng, reach)] ^= std::byte{1} << rng.below(8);
  }
}

void truncate(Rng& rng, Bytes& file) { file.resize(somewhere(rng, file.size() + 1)); }

void extend(Rng& rng, Bytes& file) { file.resize(file.size() + 1 + rng.below(64)); }

void splice(Rng& rng, Bytes& file) {
  const std::size_t from = somewhere(rng, file.size());
  const std::size_t length = somewhere(rng, std::min<std::size_t>(file.size() - from, 64) + 1);
  const Bytes piece(file.begin() + static_cast<std::ptrdiff_t>(from),
                    file.begin() + static_cast<std::ptrdiff_t>(from + length));
  const std::size_t to = somewhere(rng, file.size() + 1);
  if (rng.bernoulli(0.5)) {
    file.insert(file.begin() + static_cast<std::ptrdiff_t>(to), piece.begin(), piece.end());
  } else {
    for (std::size_t i = 0; i < piece.size() && to + i < file.size(); ++i) file[to + i] = piece[i];
  }
}

void wrong_length(Rng& rng, Bytes& file) {
  if (file.size() < 8) return;
  const std::uint64_t near = header_length(file) + rng.below(16) - 8;
  const std::uint64_t length = rng.bernoulli(0.5) ? near : rng.next_u64() >> rng.below(64);
  std::memcpy(file.data(), &length, 8);
}

std::string odd_number(Rng& rng) {
  static const char* const kNumbers[] = {"0",
                                         "-0",
                                         "-1",
                                         "1e3",
                                         "4.0",
                                         "1e999",
                                         "2147483648",
                                         "4294967296",
                                         "4611686018427387904",
                                         "9223372036854775807",
                                         "9223372036854775808",
                                         "18446744073709551615",
                                         "18446744073709551616",
                                         "340282366920938463463374607431768211456"};
  if (rng.bernoulli(0.5)) return kNumbers[rng.below(std::size(kNumbers))];
  return std::to_string(rng.next_u64() >> rng.below(64));
}

// Replaces one run of digits; offsets and extents are what a reader trusts most easily.
void edit_number(Rng& rng, Bytes& file) {
  std::string header = header_of(file);
  const char* const digits = "0123456789";
  std::size_t begin = header.find_first_of(digits, somewhere(rng, header.size()));
  if (begin == header.npos) begin = header.find_first_of(digits);
  if (begin == header.npos) return;
  const std::size_t end = std::min(header.find_first_not_of(digits, begin), header.size());
  header.replace(begin, end - begin, odd_number(rng));
  set_header(file, header);
}

// Puts a whole member in front of the others: a twin, a huge or a deep one.
void insert_member(Rng& rng, Bytes& file) {
  std::string header = header_of(file);
  if (!header.starts_with('{')) return;
  std::string member;
  switch (rng.below(5)) {
    case 0: {  // the first tensor once more
      const std::size_t end = header.find('}');
      member = header.substr(1, end);
      break;
    }
    case 1:
      member = R"("encoder.layers.0.weight":{"dtype":"F32","shape":[0],"data_offsets":[0,0]})";
      break;
    case 2:
      member = R"("huge":{"dtype":"F64","shape":[)";
      for (std::uint32_t i = 1 + rng.below(12); i > 0; --i) member += odd_number(rng) + ",";
      member += "1],\"data_offsets\":[" + odd_number(rng) + "," + odd_number(rng) + "]}";
      break;
    case 3: {
      const std::string open = rng.bernoulli(0.5) ? "[" : "{\"a\":";
      member = "\"deep\":";
      for (std::uint32_t i = rng.below(300); i > 0; --i) member += open;
      break;
    }
    default:
      member = "\"" + std::string(rng.below(600), 'n') + "\":{}";
  }
  header.insert(1, member + ",");
  set_header(file, header);
}

// Swaps one word of the format for another.
void edit_word(Rng& rng, Bytes& file) {
  static const char* const kWords[] = {
      "\"F32\"",     "\"F64\"",          "\"BF16\"",    "\"U8\"",  "\"I16\"", "\"shape\"",
      "\"dtype\"",   "\"data_offsets\"", "null",        "true",    "{}",      "[]",
      "\"\\u0000\"", "\"__metadata__\"", "\"\\ud800\"", "\"\xff\""};
  std::string header = header_of(file);
  const std::size_t begin = header.find('"', somewhere(rng, header.size()));
  if (begin == header.npos) return;
  const std::size_t end = header.find('"', begin + 1);
  if (end == header.npos) return;
  header.replace(begin, end + 1 - begin, kWords[rng.below(std::size(kWords))]);
  set_header(file, header);
}

using Damage = void (*)(Rng&, Bytes&);
constexpr Damage kDamages[] = {flip_bits,    flip_header_bits, truncate,      extend,   splice,
                               wrong_length, edit_number,      insert_member, edit_word};

Bytes damaged_file(std::uint64_t seed, std::uint64_t number) {
  Rng rng(seed, number);
  Bytes file = seed_file(rng);
  for (std::uint32_t times = rng.below(4); times > 0; --times) {
    kDamages[rng.below(std::size(kDamages))](rng, file);
  }
  file.shrink_to_fit();  // a read past the end is then a read past the block
  return file;
}

// Long headers, which chance would not make: each aims at one thing that might grow.
std::vector<Bytes> large_files() {
  const auto file_with = [](const std::string& header) {
    Bytes file(8);
    set_header(file, header);
    return file;
  };
  const std::size_t room = kMaxHeaderBytes;
  std::string many = "{", metadata = "{\"__metadata__\":{", nested, lists = "{\"a\":";
  while (many.size() < room - 100) {
    many += "\"" + std::to_string(many.size()) +
            "\":{\"dtype\":\"U8\",\"shape\":[0,1,1,1,1,1,1,1],\"data_offsets\":[0,0]},";
  }
  while (metadata.size() < room - 100)
    metadata += "\"" + std::to_string(metadata.size()) + "\":\"\",";
  while (nested.size() < room - 100) nested += "{\"a\":";
  lists.append(room - lists.size(), '[');
  const std::string text(room - 100, 'x');
  std::string digits = "{\"a\":{\"shape\":[";
  digits.append(room - 100, '9');
  return {file_with(many),
          file_with(many + "\"z\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}}"),
          file_with(metadata),
          file_with(nested),
          file_with(lists),
          file_with(digits),
          file_with("{\"" + text),
          file_with("{\"" + text + "\x01"),
          file_with("{\"" + text + "\":{}}"),
          file_with("{\"__metadata__\":{\"a\":\"" + text + "\"}}"),
          file_with("{\"a\":{\"dtype\":\"" + text + "\"}}")};
}

// ---- the checks ---------------------------------------------------------------------------------

struct Count {
  std::uint64_t accepted = 0, refused = 0;
  std::size_t most_beyond_size = 0;
};

// Reads everything that was accepted and writes it back; the second reading must agree with the
// first.
bool survives_use(const Safetensors& file) {
  std::vector<TensorToWrite> tensors;
  std::vector<WantedTensor> wanted;
  bool floating = true;
  for (const TensorEntry& t : file.tensors()) {
    std::vector<float> values(t.elements());
    std::vector<double> wide(t.elements());
    if (file.read_into(t, values).ok() != is_floating(t.dtype)) return false;
    if (file.read_into(t, wide).ok() != is_floating(t.dtype)) return false;
    if (file.find(t.name) != &t) return false;
    floating = floating && is_floating(t.dtype);
    tensors.push_back({t.name, t.dtype, t.shape, file.bytes(t)});
    wanted.push_back({t.name, t.shape});
  }
  if (file.match(wanted).ok() != floating) return false;
  const Result<Bytes> written = safetensors_bytes(tensors, file.metadata());
  if (!written) return false;
  const Result<Safetensors> again = Safetensors::parse(written.value());
  if (!again || again.value().metadata() != file.metadata()) return false;
  for (const TensorEntry& t : file.tensors()) {
    const TensorEntry* twin = again.value().find(t.name);
    if (twin == nullptr || twin->dtype != t.dtype || twin->shape != t.shape) return false;
    const auto a = file.bytes(t), b = again.value().bytes(*twin);
    if (!std::equal(a.begin(), a.end(), b.begin(), b.end())) return false;
  }
  return true;
}

const char* check(const Bytes& bytes, Count& count) {
  const std::size_t before = allocated;
  const Result<Safetensors> file = Safetensors::parse(bytes);
  const std::size_t used = allocated - before;
  count.most_beyond_size = std::max(count.most_beyond_size, used - std::min(used, bytes.size()));
  if (used > bytes.size() + kAllowance) return "reading allocated too much";
  if (!file) {
    ++count.refused;
    return file.error().message.size() < 1000 ? nullptr : "the error is too long to read";
  }
  ++count.accepted;
  return survives_use(file.value()) ? nullptr : "an accepted file could not be used";
}

int run(std::uint64_t inputs, std::uint64_t seed, std::uint64_t first) {
  Count count;
  for (const Bytes& file : large_files()) {
    alarm(kPatienceSeconds);
    if (const char* wrong = check(file, count)) {
      std::fprintf(stderr, "safetensors_fuzz: %s (a large file)\n", wrong);
      return 1;
    }
  }
  for (std::uint64_t number = first; number < first + inputs; ++number) {
    // A hang ends the process with SIGALRM, which is a failure to whoever runs it.
    if (number % kEverySoMany == 0) alarm(kPatienceSeconds);
    if (const char* wrong = check(damaged_file(seed, number), count)) {
      std::fprintf(stderr, "safetensors_fuzz: %s (seed %" PRIu64 ", input %" PRIu64 ")\n", wrong,
                   seed, number);
      return 1;
    }
  }
  std::printf("%" PRIu64 " refused, %" PRIu64
              " accepted; at most %zu bytes beyond the file's size\n",
              count.refused, count.accepted, count.most_beyond_size);
  // Without both kinds the damage would be too weak or too strong to mean anything.
  const bool both = inputs < 1'000 || (count.accepted > inputs / 100 && count.refused > inputs / 4);
  if (!both) std::fprintf(stderr, "safetensors_fuzz: hardly anything was accepted or refused\n");
  return both ? 0 : 1;
}

}  // namespace
}  // namespace tp

int main(int argc, char** argv) {
  const auto argument = [&](int i, std::uint64_t otherwise) {
    return argc > i ? std::strtoull(argv[i], nullptr, 10) : otherwise;
  };
  return tp::run(argument(1, 1'000'000), argument(2, 1), argument(3, 0));
}
