package wire

import (
	"crypto/sha1"
	"crypto/sha256"
	"crypto/subtle"
)

// Authentication methods.
const (
	NativePassword = "mysql_native_password"
	CachingSHA2    = "caching_sha2_password"
	ClearPassword  = "mysql_clear_password"
)

// NativeHash is what mysql_native_password keeps of a password: SHA1(SHA1(p)).
func NativeHash(password string) []byte {
	once := sha1.Sum([]byte(password))
	twice := sha1.Sum(once[:])
	return twice[:]
}

// CheckNative verifies the response SHA1(p) XOR SHA1(salt, SHA1(SHA1(p))).
func CheckNative(hash, salt, response []byte) bool {
	if len(response) != sha1.Size || len(hash) != sha1.Size {
		return false
	}
	mask := sha1.Sum(append(append([]byte{}, salt...), hash...))
	once := make([]byte, sha1.Size)
	subtle.XORBytes(once, response, mask[:])
	twice := sha1.Sum(once)
	return subtle.ConstantTimeCompare(twice[:], hash) == 1
}

// SHA2Hash is what caching_sha2_password caches of a password:
// SHA256(SHA256(p)).
func SHA2Hash(password string) []byte {
	once := sha256.Sum256([]byte(password))
	twice := sha256.Sum256(once[:])
	return twice[:]
}

// CheckSHA2 verifies the response SHA256(p) XOR SHA256(SHA256(SHA256(p)), salt).
func CheckSHA2(hash, salt, response []byte) bool {
	if len(response) != sha256.Size || len(hash) != sha256.Size {
		return false
	}
	mask := sha256.Sum256(append(append([]byte{}, hash...), salt...))
	once := make([]byte, sha256.Size)
	subtle.XORBytes(once, response, mask[:])
	twice := sha256.Sum256(once)
	return subtle.ConstantTimeCompare(twice[:], hash) == 1
}

// Unmask undoes what a client does to a password before it encrypts it: XOR
// with the salt, repeated.
func Unmask(masked, salt []byte) []byte {
	plain := make([]byte, len(masked))
	for i := range masked {
		// The salt ends in a zero byte, which counts.
		if at := i % (len(salt) + 1); at < len(salt) {
			plain[i] = masked[i] ^ salt[at]
		} else {
			plain[i] = masked[i]
		}
	}
	return plain
}

// NativeResponse is what a client answers: SHA1(p) XOR SHA1(salt, SHA1(SHA1(p))).
func NativeResponse(password string, salt []byte) []byte {
	once := sha1.Sum([]byte(password))
	mask := sha1.Sum(append(append([]byte{}, salt...), NativeHash(password)...))
	response := make([]byte, sha1.Size)
	subtle.XORBytes(response, once[:], mask[:])
	return response
}
